"""The few words on paper that are in no text of their own."""

from __future__ import annotations

LANGUAGES = {
    "es": "Español",
    "en": "English",
    "fr": "Français",
    "de": "Deutsch",
    "pt": "Português",
    "it": "Italiano",
}


def colon(lang: str) -> str:
    """Return a colon as a language sets it."""
    return "\u00a0:" if lang == "fr" else ":"


_SIGNS = ("red", "yellow", "green", "blue")

WORDS: dict[str, dict] = {
    "es": {
        "leaflet": "instrucciones",
        "house_rule": "Regla de la casa",
        "cards": "tarjetas de reglas de la casa",
        "stickers": "pegatinas",
        "cut": "Imprime en papel grueso y recorta.",
        "seated": "sin levantarse",
        "buttons": "Para los botones: recorta el tamaño que quepa.",
        "corners": "Para las esquinas de las cartas: uno por carta.",
        "signs": dict(zip(_SIGNS, ("corazón", "sol", "hoja", "gota"))),
    },
    "en": {
        "leaflet": "how to play",
        "house_rule": "House Rule",
        "cards": "House Rule cards",
        "stickers": "stickers",
        "cut": "Print on stiff paper and cut out.",
        "seated": "done sitting down",
        "buttons": "For the buttons: cut out the size that fits.",
        "corners": "For the corners of the cards: one a card.",
        "signs": dict(zip(_SIGNS, ("heart", "sun", "leaf", "drop"))),
    },
    "fr": {
        "leaflet": "mode d'emploi",
        "house_rule": "Règle de la maison",
        "cards": "cartes Règle de la maison",
        "stickers": "autocollants",
        "cut": "Imprimez sur du papier épais et découpez.",
        "seated": "se fait assis",
        "buttons": "Pour les boutons : découpez la taille qui convient.",
        "corners": "Pour le coin des cartes : un par carte.",
        "signs": dict(zip(_SIGNS, ("cœur", "soleil", "feuille", "goutte"))),
    },
    "de": {
        "leaflet": "Spielanleitung",
        "house_rule": "Hausregel",
        "cards": "Hausregel-Karten",
        "stickers": "Aufkleber",
        "cut": "Auf festes Papier drucken und ausschneiden.",
        "seated": "geht im Sitzen",
        "buttons": "Für die Knöpfe: die passende Größe ausschneiden.",
        "corners": "Für die Ecken der Karten: einer je Karte.",
        "signs": dict(zip(_SIGNS, ("Herz", "Sonne", "Blatt", "Tropfen"))),
    },
    "pt": {
        "leaflet": "instruções",
        "house_rule": "Regra da casa",
        "cards": "cartas de regra da casa",
        "stickers": "adesivos",
        "cut": "Imprima em papel grosso e recorte.",
        "seated": "dá para fazer sentado",
        "buttons": "Para os botões: recorte o tamanho que couber.",
        "corners": "Para os cantos das cartas: um por carta.",
        "signs": dict(zip(_SIGNS, ("coração", "sol", "folha", "gota"))),
    },
    "it": {
        "leaflet": "istruzioni",
        "house_rule": "Regola della casa",
        "cards": "carte Regola della casa",
        "stickers": "adesivi",
        "cut": "Stampa su carta spessa e ritaglia.",
        "seated": "si fa da seduti",
        "buttons": "Per i pulsanti: ritaglia la misura giusta.",
        "corners": "Per gli angoli delle carte: uno per carta.",
        "signs": dict(zip(_SIGNS, ("cuore", "sole", "foglia", "goccia"))),
    },
}

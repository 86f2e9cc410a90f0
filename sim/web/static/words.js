// What the page says itself, in its languages. What the robot says comes from the robot.

const WORDS = {
  en: {
    language: "Language", robot: "The robot", table: "At the table", leave_table: "Leave the table",
    plate: "Discard tray: press it when you lay a card",
    record: "Red button, record: hold it and speak", replay: "Green button: say it again",
    volume: "Yellow button: volume", win: "Blue button: somebody has won",
    mode: "White button: never mind; hold for settings",
    back: "On its back", off: "off", "try-me": "try me", on: "on",
    nudge: "Switch it on", sound_off: "Press here to hear the robot",
    says: "It says", now: "Where the game stands", players: "Players", player: "Player {n}",
    player_label: "Name of player {n}, for the captions", nickname: "nickname",
    timeline: "What happened", inside: "Show the inside", save: "Keep",
    save_scenario: "Session", save_sound: "Sound", save_trace: "Trace",
    save_fine: "The session is a scenario: sim run plays it again, to the same trace.",
    keys: "Keys",
    key_tray: "the tray", key_record: "red: hold and speak", key_replay: "green: say it again", key_volume: "yellow: volume",
    key_win: "blue: somebody has won", key_mode: "white: never mind", key_space: "Space",
    watching: "Another page plays. This one watches.",
    gone: "The robot does not answer. Looking for it …",
    refused: "This address does not open the robot. Take the one it printed when it started.",
    broken: "The robot has broken down: {why}. Switch it off and on.",
    house_rule_said: "(the House Rule)",
    mic_off: "The microphone is asked for when you switch it on.",
    mic_on: "The microphone listens only while you hold the red button.",
    mic_none: "No microphone: drop a WAV on the red button, or choose one:",
    mic_choose: "Choose a WAV …",
    wav_wrong: "That cannot be said: {why}",
    state_off: "Off", state_names: "Names", state_house_rule: "House Rule", state_play: "Play", state_nickname: "Nickname",
    state_won: "Won", state_demo: "Try me", state_asleep: "Asleep", state_resume: "Go on?",
    hint_off: "Move the switch on its back to “on”.",
    hint_names: "Hold the red button, say your name, let go. One after the other; then press the tray.",
    hint_house_rule: "Whoever was called holds the red button and invents a rule. The tray skips it.",
    hint_play: "Lay cards. For each one, press the tray. Blue when somebody has won.",
    hint_nickname: "Hold the red button and say the nickname. The tray skips it.",
    hint_won: "Press the tray for a new game with the same players.",
    hint_demo: "Hold red and say your name, or press anything for a sample.",
    hint_asleep: "It sleeps. The tray wakes it.",
    hint_resume: "The tray goes on with the old game, red starts over.",
    press_record: "red", press_replay: "green", press_volume: "yellow", press_win: "blue", press_mode: "white", press_plate: "tray",
    did_switch: "switch: {position}", did_power_true: "power on", did_power_false: "power off",
    did_sleep: "falls asleep", did_wake: "wakes up", did_volume: "volume {level}", did_fault: "fault: {what}",
    what_name: "name", what_nickname: "nickname", what_house_rule: "House Rule",
    result_stored: "kept", result_too_short: "too short", result_silent: "only silence", result_cancelled: "dropped",
    tone_plate: "beep", tone_volume: "ding", tone_limit: "time is up", tone_not_now: "not now",
    tone_sleep_warning: "yawn", tone_fanfare: "fanfare!", tone_missing: "(something is missing)",
    pins: "Pins", sound_ring: "Loudspeaker ring", mic_ring: "Microphone ring", closed: "closed",
    recording_ram: "Recordings in RAM", flash: "Flash", writes: "writes", in_flight: "Sound on its way",
    late: "Microphone gaps", uptime: "Awake for", not_running: "not running",
  },
  es: {
    language: "Idioma", robot: "El robot", table: "En la mesa", leave_table: "Salir de la mesa",
    plate: "Bandeja de descartes: púlsala al echar una carta",
    record: "Botón rojo, grabar: mantenlo y habla", replay: "Botón verde: que lo repita",
    volume: "Botón amarillo: volumen", win: "Botón azul: alguien ha ganado",
    mode: "Botón blanco: olvídalo; mantenlo para los ajustes",
    back: "En la espalda", off: "apagado", "try-me": "pruébame", on: "en marcha",
    nudge: "Ponlo en marcha", sound_off: "Pulsa aquí para oír al robot",
    says: "Dice", now: "Cómo va la partida", players: "Jugadores", player: "Jugador {n}",
    player_label: "Nombre del jugador {n}, para los subtítulos", nickname: "mote",
    timeline: "Qué ha pasado", inside: "Ver por dentro", save: "Guardar",
    save_scenario: "Sesión", save_sound: "Sonido", save_trace: "Traza",
    save_fine: "La sesión es un guion: sim run lo vuelve a jugar, con la misma traza.",
    keys: "Teclas",
    key_tray: "la bandeja", key_record: "rojo: mantener y hablar", key_replay: "verde: que lo repita", key_volume: "amarillo: volumen",
    key_win: "azul: alguien ha ganado", key_mode: "blanco: olvídalo", key_space: "Espacio",
    watching: "Otra página juega. Esta solo mira.",
    gone: "El robot no responde. Buscándolo …",
    refused: "Esta dirección no abre el robot. Usa la que escribió al arrancar.",
    broken: "El robot se ha averiado: {why}. Apágalo y enciéndelo.",
    house_rule_said: "(la regla de la casa)",
    mic_off: "El micrófono se pide al ponerlo en marcha.",
    mic_on: "El micrófono solo escucha mientras mantienes el botón rojo.",
    mic_none: "Sin micrófono: suelta un WAV sobre el botón rojo, o elige uno:",
    mic_choose: "Elegir un WAV …",
    wav_wrong: "Eso no se puede decir: {why}",
    state_off: "Apagado", state_names: "Nombres", state_house_rule: "Regla", state_play: "Partida", state_nickname: "Mote",
    state_won: "Final", state_demo: "Pruébame", state_asleep: "Dormido", state_resume: "¿Seguimos?",
    hint_off: "Mueve el interruptor de la espalda a «en marcha».",
    hint_names: "Mantén el botón rojo, di tu nombre y suelta. Por turnos; después, la bandeja.",
    hint_house_rule: "Quien ha sido llamado mantiene el rojo e inventa una regla. La bandeja la salta.",
    hint_play: "Echad cartas. Por cada una, pulsad la bandeja. Azul si alguien ha ganado.",
    hint_nickname: "Mantén el botón rojo y di el mote. La bandeja lo salta.",
    hint_won: "Pulsa la bandeja para otra partida con los mismos jugadores.",
    hint_demo: "Mantén el rojo y di tu nombre, o pulsa lo que quieras.",
    hint_asleep: "Duerme. La bandeja lo despierta.",
    hint_resume: "La bandeja sigue con la partida de antes; el rojo empieza de nuevo.",
    press_record: "rojo", press_replay: "verde", press_volume: "amarillo", press_win: "azul", press_mode: "blanco", press_plate: "bandeja",
    did_switch: "interruptor: {position}", did_power_true: "encendido", did_power_false: "apagado",
    did_sleep: "se duerme", did_wake: "se despierta", did_volume: "volumen {level}", did_fault: "fallo: {what}",
    what_name: "nombre", what_nickname: "mote", what_house_rule: "regla de la casa",
    result_stored: "guardado", result_too_short: "demasiado corto", result_silent: "solo silencio", result_cancelled: "descartado",
    tone_plate: "pip", tone_volume: "ding", tone_limit: "se acabó el tiempo", tone_not_now: "ahora no",
    tone_sleep_warning: "bostezo", tone_fanfare: "¡fanfarria!", tone_missing: "(falta algo)",
    pins: "Patillas", sound_ring: "Búfer del altavoz", mic_ring: "Búfer del micrófono", closed: "cerrado",
    recording_ram: "Grabaciones en RAM", flash: "Flash", writes: "escrituras", in_flight: "Sonido en camino",
    late: "Huecos del micrófono", uptime: "Despierto desde hace", not_running: "parado",
  },
};

export const LANGUAGES = { es: "Español", en: "English" };

let language = "en";

export function setLanguage(code) {
  language = code in WORDS ? code : "en";
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-words]")) {
    element.textContent = say(element.dataset.words);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
}

export const getLanguage = () => language;

// The page's words for a key; {x} are filled in.
export function say(key, fill = {}) {
  const text = WORDS[language][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => fill[name] ?? whole);
}

// The page's language at first: the one chosen before, the browser's, the robot's.
export function firstLanguage(robots) {
  const wishes = [localStorage.getItem("roboto-language"), ...navigator.languages.map((l) => l.slice(0, 2)), robots];
  return wishes.find((wish) => wish in WORDS) ?? "en";
}

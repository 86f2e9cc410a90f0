"""One game of UNO: from the deal until somebody is rid of the cards.

A Game knows the cards and the rules; it asks the players (see players.py) whatever a person
decides. `play()` plays to the end. A table around the robot uses the pieces instead: `take_turn()`
for one turn in normal play, then `lay_by_command`, `draw`, `trade` and the like while the robot
orders people about, then `go_on(seat)` for the player it calls.

What the card on top does to the player who would go on is not done when it is laid, but when that
player goes on: so a card laid over it, by command, cancels it.
"""

from . import watching
from .cards import (
    BY_COLOUR,
    COLOUR_OF,
    COLOURS,
    DRAW_TWOS,
    FITS,
    FOUR,
    NOTHING,
    OTHERS,
    REVERSES,
    SKIPS,
    TWO,
    WILD,
    WILD_DRAW_FOUR,
    hand_points,
    in_words,
    name,
    shuffle,
)
from .deal import deal
from .watching import IllegalMove

TURNS_MAX = 10_000  # by no sheet's rules comes a game near it; by a family's it may have no end

# What a game counts besides turns and cards; "of these" belongs to the line before.
COUNTED = (
    "reshuffles",
    "declined",  # turns in which a card was drawn though one fitted
    "kept",  # drawn cards that fitted and were not laid
    "uno_missed",
    "uno_caught",  # of these
    "challenges",  # to a wild draw four
    "challenges_won",  # of these
    "wrong_cards",
    "advice_caught",
)


class Game:
    """Cards, seats and turns. Seats count clockwise, so +1 is the player on the left.

    players: one Player a seat, 2 to 10. rng: a random.Random, the only source of chance here.
    dealer: seat, or None: drawn for, where the rules have one. first: the seat that the robot
    calls, whatever the rules say of who begins.
    pairs: whether those who sit opposite are partners.
    log: called with one line for each thing that happens, or None.
    """

    def __init__(self, rules, players, rng, dealer=None, first=None, pairs=False, log=None):
        least, most = rules.players
        if not least <= len(players) <= most:
            raise ValueError(f"{rules.name}: {least} to {most} players, not {len(players)}")
        # CPython 3.11 reads the attributes of an object with more than 30 a third slower.
        self.rules = rules
        self.players = players
        self.n = len(players)
        self.rng = rng
        self.log = log
        self.pile = list(rules.deck)  # face down; the next card is the last
        self.discard = []  # face up; the top card is the last
        self.hands = [[] for _ in players]
        self.dealer = 0  # who dealt, or would have: the seat before whom the robot calls
        self.seat = 0  # whose turn it is
        self.direction = 1  # 1: to the left, clockwise
        self.face = 0  # what has to be matched, see cards.py
        self.effect = NOTHING  # what the top card will do to the player who goes on
        self.layer = None  # who laid the top card; None: it was turned up
        self.bluffed = False  # whether a wild draw four was laid with the colour in the hand
        self.owed = 0  # cards that stacked draw twos have summed up to
        self.catchable = set()  # the seats that may be caught without UNO
        self.winner = None
        self.blocked = False  # nobody can lay any more, or ever will
        self.turns = 0
        self.laid = 0
        self.drawn = 0  # cards drawn after the deal, whatever for
        self.counts = dict.fromkeys(COUNTED, 0)
        self._idle_turns = 0
        self._shown = []  # what the layer of the last wild draw four held then
        self._partners = [(s + self.n // 2) % self.n for s in range(self.n)] if pairs else []
        self._four_is_free = rules.wild_draw_four == "any"
        self.advisers = [
            seat
            for seat, player in enumerate(players)
            if rules.advice_draws and player.advises_share
        ]
        deal(self, dealer, first)

    # A turn

    def play(self):
        """Play to the end. The winner's seat; None when all cards are in hands and none fits."""
        turn = self.turn
        while self.winner is None and not self.blocked:
            turn()
        return self.winner

    def turn(self):
        """Play one turn of the player at `seat`; then `seat` is who goes on, unless it is over."""
        self.take_turn()
        if self.winner is None:
            if self.effect == NOTHING:
                self.seat = (self.seat + self.direction) % self.n
            else:
                self.advance()

    def legal(self, seat):
        """Return the kinds of card that the player at `seat` may lay in a turn now, as a set."""
        hand = self.hands[seat]
        if self.owed:
            return DRAW_TWOS.intersection(hand)
        legal = FITS[self.face].intersection(hand)
        if WILD_DRAW_FOUR in legal and not self._four_is_free:
            if self.rules.wild_draw_four == "no_colour":
                forbidden = not BY_COLOUR[COLOUR_OF[self.face]].isdisjoint(hand)
            else:
                forbidden = len(legal) > 1
            if forbidden:
                legal = legal - {WILD_DRAW_FOUR}
        return legal

    def take_turn(self):
        """Let the player at `seat` lay or draw; then `advance` or `go_on` says who goes on.

        Return whether a card was laid.
        """
        seat = self.seat
        player = self.players[seat]
        self.turns += 1
        if self.catchable:
            watching.next_begins(self)
            if self.catchable:
                watching.look_round(self, seat)
        if self.advisers:
            watching.hear_advice(self, seat)
        legal = FITS[self.face].intersection(self.hands[seat])
        if self.owed or WILD_DRAW_FOUR in legal:
            legal = self.legal(seat)  # the common case is spared the call
        card = player.choose(self, seat, legal) if legal or player.slips else None
        if card is not None:
            if card not in legal and not watching.stays(self, seat, card):
                return False
            self.lay(seat, card)
            return True
        if legal and not self.rules.voluntary_draw and not self.owed:
            raise IllegalMove(f"seat {seat} must lay one of {in_words(legal)}")
        if self.owed:
            owed, self.owed = self.owed, 0
            self.draw(seat, owed)
            return False
        if legal:
            self.counts["declined"] += 1
        drawn = self._draw_one(seat)
        if drawn is None or not (
            self._lays_declined(player, seat, drawn)
            if legal
            else self._lays_drawn(player, seat, drawn)
        ):
            return False
        self.lay(seat, drawn)
        return True

    def _lays_drawn(self, player, seat, drawn):
        """Return whether the card just drawn is laid: it has to fit, then the rules or the player
        decide."""
        if drawn not in FITS[self.face]:
            return False
        if drawn == WILD_DRAW_FOUR and drawn not in self.legal(seat):
            return False
        return self.rules.drawn_card == "must" or self._wants(player, seat, drawn)

    def _lays_declined(self, player, seat, drawn):
        """Return the same for a card that was drawn by choice, though another one fitted."""
        if drawn not in FITS[self.face] or drawn not in self.legal(seat):
            return False
        return self.rules.declined_card == "must" or self._wants(player, seat, drawn)

    def _wants(self, player, seat, drawn):
        if player.lays_drawn(self, seat, drawn):
            return True
        self.counts["kept"] += 1
        return False

    def lay(self, seat, card):
        """Put a card from a hand on the pile; its layer names the colour of a wild.

        Calls UNO or is caught where one card is left; sets `winner` where none is.
        """
        hand = self.hands[seat]
        try:
            hand.remove(card)
        except ValueError:
            raise IllegalMove(f"seat {seat} has no {name(card)} to lay") from None
        self.discard.append(card)
        self.laid += 1
        self._idle_turns = 0
        self.effect = self.rules.effects[card]
        self.layer = seat
        if self.catchable:
            self.catchable.discard(seat)  # whoever lays the next card is safe
        if card < WILD:
            self.face = card
        else:
            if card == WILD_DRAW_FOUR:
                self.bluffed = not BY_COLOUR[COLOUR_OF[self.face]].isdisjoint(hand)
                self._shown = hand[:]
            self.face = WILD + self.players[seat].colour(self, seat)
        if self.log:
            self.note(f"seat {seat} lays {self._laid_words(card)}, {len(hand)} left")
        if len(hand) < 2:
            if hand:
                watching.uno_moment(self, seat)
            else:
                self._out(seat)

    def advance(self):
        """Go on in turn: the next in the direction of play, as the top card bids."""
        if self.effect == REVERSES and self.n > 2:
            self.effect = NOTHING
            self.direction = -self.direction
        self.settle((self.seat + self.direction) % self.n)

    def go_on(self, seat):
        """Go on with the player whom the robot calls: the top card binds that player."""
        if self.effect == REVERSES and self.n > 2:
            self.effect = NOTHING
            self.direction = -self.direction
        self.settle(seat)

    def settle(self, seat):
        """Do to the player at `seat` what the top card does; whose turn it is then is `seat`."""
        effect, self.effect = self.effect, NOTHING
        after = (seat + self.direction) % self.n
        if effect == SKIPS:
            if self.log:
                self.note(f"seat {seat} is passed over")
            seat = after
        elif effect == REVERSES:  # two players, or the first card of a game
            self.direction = -self.direction
            if self.rules.two_player_reverse == "skip":
                seat = after
        elif effect == TWO:
            watching.next_begins(self)
            if self.rules.stack_draw_twos:
                self.owed += 2
            else:
                self.draw(seat, 2)
                seat = after
        elif effect == FOUR:
            watching.next_begins(self)
            seat = self._take_four(seat, after)
        elif effect == OTHERS:
            watching.next_begins(self)
            for other in range(self.n):
                if other != self.layer:
                    self.draw(other, 1)
        self.seat = seat

    def _take_four(self, seat, after):
        """Draw the four, or challenge whoever laid them. The seat that goes on."""
        rules = self.rules
        if (
            rules.challenge
            and self.discard[-1] == WILD_DRAW_FOUR
            and self.layer not in (None, seat)
            and self.players[seat].challenges(self, seat)
        ):
            self.counts["challenges"] += 1
            if self.log:
                self.note(f"seat {self.layer} shows seat {seat} {in_words(self._shown)}")
            if self.bluffed:
                self.counts["challenges_won"] += 1
                if self.log:
                    self.note(f"seat {seat} challenges seat {self.layer}, who had the colour")
                self.draw(self.layer, rules.guilty_draws)
                return seat
            if self.log:
                self.note(f"seat {seat} challenges seat {self.layer}, who had not the colour")
            self.draw(seat, rules.innocent_draws)
            return after
        self.draw(seat, 4)
        return after

    def _out(self, seat):
        """End the game: a player is rid of the cards, and the next one still draws what the last
        card bids."""
        if self.log:
            self.note(f"seat {seat} is out")
        self.winner = seat
        self.owed, owed = 0, self.owed
        if self.effect in (TWO, FOUR):
            self.draw((seat + self.direction) % self.n, owed + (2 if self.effect == TWO else 4))
        elif self.effect == OTHERS:
            self.settle(seat)
        self.effect = NOTHING

    def partner(self, seat):
        """Return the seat of the partner, who sits opposite; None where nobody has one."""
        return self._partners[seat] if self._partners else None

    def points(self, seat):
        """Return what the cards in a hand count."""
        return hand_points(self.hands[seat], self.rules.blank_points)

    # Cards that move otherwise

    def _draw_one(self, seat):
        """Draw one in a turn: the card, or None when no card is left to draw."""
        if not self.pile and not self._reshuffle():
            self._idle_turns += 1
            self.blocked = self._idle_turns >= self.n
            if self.log:
                self.note(f"seat {seat} can neither lay nor draw")
            return None
        self._idle_turns = 0
        card = self.pile.pop()
        self.hands[seat].append(card)
        self.drawn += 1
        if self.log:
            self.note(f"seat {seat} draws {name(card)}")
        return card

    def draw(self, seat, n_cards):
        """Draw so many cards, or as many as there are. The number that was drawn."""
        hand = self.hands[seat]
        before = len(hand)
        for _ in range(n_cards):
            if not self.pile and not self._reshuffle():
                break
            hand.append(self.pile.pop())
        drawn = len(hand) - before
        self.drawn += drawn
        if self.log:
            self.note(f"seat {seat} draws {drawn}: {in_words(hand[before:])}")
        return drawn

    def _reshuffle(self):
        """Make the discard pile, less its top card, the draw pile. False: there is nothing."""
        discard = self.discard
        if len(discard) < 2:
            return False
        self.pile[:] = discard[:-1]
        del discard[:-1]
        shuffle(self.pile, self.rng)
        self.counts["reshuffles"] += 1
        if self.turns > TURNS_MAX:
            self.blocked = True
        if self.log:
            self.note(f"the discard pile is shuffled: {len(self.pile)} cards to draw")
        return True

    def lay_by_command(self, seat, card):
        """Lay a card that a command asks for, whatever lies there: it cancels what it covers."""
        self.owed = 0
        self.lay(seat, card)

    def trade(self, seat, other):
        """Trade the hands of two players."""
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.catchable.clear()
        if self.log:
            self.note(f"seat {seat} and seat {other} trade hands")

    def trade_all(self, direction):
        """Hand everybody's cards on, to the left (1) or to the right (-1)."""
        if direction > 0:
            self.hands.insert(0, self.hands.pop())
        else:
            self.hands.append(self.hands.pop(0))
        self.catchable.clear()
        if self.log:
            self.note(f"all hand their cards to the {'left' if direction > 0 else 'right'}")

    def trade_cards(self, seat, other, cards, others_cards):
        """Trade some cards of two players."""
        for giver, taker, given in ((seat, other, cards), (other, seat, others_cards)):
            for card in given:
                self.hands[giver].remove(card)
            self.hands[taker] += given
        self.catchable.clear()
        if self.log:
            self.note(f"seat {seat} gives {in_words(cards)} to seat {other}")
            self.note(f"seat {other} gives {in_words(others_cards)} to seat {seat}")

    def reseat(self, order):
        """Change the order of turns: who sat at order[i] now has seat i."""
        self.hands = [self.hands[who] for who in order]
        self.players = [self.players[who] for who in order]
        if self._partners:
            self._partners = [order.index(self._partners[who]) for who in order]
        self.seat = order.index(self.seat)
        self.layer = None if self.layer is None else order.index(self.layer)
        self.advisers = [order.index(who) for who in self.advisers]
        self.catchable.clear()
        if self.log:
            self.note(f"new order of turns: {', '.join(f'seat {who}' for who in order)}")

    def turn_round(self):
        """Change the direction of play."""
        self.direction = -self.direction
        if self.log:
            self.note(f"play goes to the {'left' if self.direction > 0 else 'right'}")

    # UNO

    def call_uno(self, seat):
        """Call UNO late. True: in time, nobody had caught the player and the time was not over."""
        if seat not in self.catchable:
            return False
        self.catchable.discard(seat)
        if self.log:
            self.note(f"seat {seat} calls UNO just in time")
        return True

    def catch(self, catcher, seat):
        """Catch somebody who has not called UNO. False: there is nothing to catch, or too late."""
        if seat not in self.catchable or catcher == seat:
            return False
        self.catchable.discard(seat)
        self.counts["uno_caught"] += 1
        if self.log:
            self.note(f"seat {catcher} catches seat {seat} without UNO")
        self.draw(seat, self.rules.uno_penalty)
        return True

    # Words

    def note(self, line):
        """Tell the log, if there is one, what has happened."""
        if self.log:
            self.log(line)

    def _laid_words(self, card):
        if card < WILD:
            return name(card)
        return f"{name(card)}, names {COLOURS[self.face - WILD]}"

"""UNO itself, played around the robot or without it: cards, rules, players, whole tables."""

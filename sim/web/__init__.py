"""The robot in a browser: the same firmware in real time, one page that draws it, one WebSocket
between them.

live.py      the robot in its thread: virtual time follows the wall clock, and what the page has
played sound.py     its loudspeaker and its microphone, as streams
session.py   what can be saved: trace, sound, and the session as a scenario
server.py    HTTP and WebSocket, and who may do what
captions.py  what it says, in the page's language
static/      the page: plain HTML, SVG, CSS and JavaScript modules
"""

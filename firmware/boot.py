"""A safe window: main.py is left alone while the record button is held at power-on."""

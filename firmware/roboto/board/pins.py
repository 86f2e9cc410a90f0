"""GPIO numbers. hardware/generate_pins.py makes them from hardware/board.toml: edit that."""

RECORD = 2  # red button: hold to record
REPLAY = 3  # green button: say it again
VOLUME = 4  # yellow button: next volume
WIN = 5  # blue button: somebody has won
MODE = 6  # white button: veto, settings
PLATE = 7  # tray switch: a card was laid
TRY_ME = 8  # slide switch: low in try-me, high in on
TALK_LED = 9  # talk LEDs: eyes and mouth
RECORD_LED = 10  # record LED
MIC_SCK = 11  # microphone bit clock
MIC_WS = 12  # microphone word select
MIC_SD = 13  # microphone data
MIC_POWER = 15  # microphone supply
AMP_SHUTDOWN = 14  # amplifier on (high) or shut down (low)
AMP_SCK = 20  # amplifier bit clock
AMP_WS = 21  # amplifier word select
AMP_SD = 22  # amplifier data
FLASH_MISO = 16  # flash data out
FLASH_CS = 17  # flash chip select
FLASH_SCK = 18  # flash clock
FLASH_MOSI = 19  # flash data in
USB_PRESENT = 24  # high while USB is plugged in
BATTERY = 29  # VSYS / 3

MIC_I2S = 0
AMP_I2S = 1
FLASH_SPI = 0

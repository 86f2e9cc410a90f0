/* The work of firmware/roboto/sound/thumb.py in C, to compare with: the IMA reference's algorithm,
 * and the same with the table of moves that the firmware uses. Each function takes one pointer to
 * its arguments. Compiled as one position-independent lump and called from MicroPython. */
#include <stdint.h>

struct call {
    const void *src;
    void *dst;
    int32_t n;
    int32_t *state;
    const uint16_t *steps;
    const int32_t *moves;
    const int8_t *index_moves; /* -1, -1, -1, -1, 2, 4, 6, 8 */
};

int decode_reference(struct call *call) {
    const uint8_t *src = call->src;
    int16_t *dst = call->dst;
    int predictor = call->state[0], index = call->state[1];
    for (int i = 0; i < call->n; i++) {
        int code = i & 1 ? src[i >> 1] & 15 : src[i >> 1] >> 4;
        int step = call->steps[index], change = step >> 3;
        if (code & 4) change += step;
        if (code & 2) change += step >> 1;
        if (code & 1) change += step >> 2;
        predictor += code & 8 ? -change : change;
        if (predictor > 32767) predictor = 32767;
        if (predictor < -32768) predictor = -32768;
        index += call->index_moves[code & 7];
        if (index < 0) index = 0;
        if (index > 88) index = 88;
        dst[i] = predictor;
    }
    call->state[0] = predictor;
    call->state[1] = index;
    return 0;
}

int decode_table(struct call *call) {
    const uint8_t *src = call->src;
    int16_t *dst = call->dst;
    int predictor = call->state[0], row = call->state[1] << 4;
    for (int i = 0; i < call->n; i += 2) {
        int codes = *src++;
        for (int half = 0; half < 2; half++) {
            int move = call->moves[row + (half ? codes & 15 : codes >> 4)];
            row = move & 2047;
            predictor += move >> 11;
            if (predictor != (int16_t)predictor) predictor = predictor >> 31 ^ 0x7fff;
            *dst++ = predictor;
        }
    }
    call->state[0] = predictor;
    call->state[1] = row >> 4;
    return 0;
}

int encode_reference(struct call *call) {
    const int16_t *src = call->src;
    uint8_t *dst = call->dst;
    int predictor = call->state[0], index = call->state[1], high = 0;
    for (int i = 0; i < call->n; i++) {
        int step = call->steps[index], change = step >> 3, code = 0;
        int difference = src[i] - predictor;
        if (difference < 0) { code = 8; difference = -difference; }
        if (difference >= step) { code |= 4; difference -= step; change += step; }
        step >>= 1;
        if (difference >= step) { code |= 2; difference -= step; change += step; }
        step >>= 1;
        if (difference >= step) { code |= 1; change += step; }
        predictor += code & 8 ? -change : change;
        if (predictor > 32767) predictor = 32767;
        if (predictor < -32768) predictor = -32768;
        index += call->index_moves[code & 7];
        if (index < 0) index = 0;
        if (index > 88) index = 88;
        if (i & 1) dst[i >> 1] = high | code;
        else high = code << 4;
    }
    call->state[0] = predictor;
    call->state[1] = index;
    return 0;
}

int ramp(struct call *call) {
    const int16_t *src = call->src;
    int16_t *dst = call->dst;
    int gain = call->state[0], step = call->state[1], peak = 0;
    for (int i = 0; i < call->n; i++) {
        int sample = src[i], size = sample < 0 ? -sample : sample;
        if (size > peak) peak = size;
        int out = sample * (gain >> 15) >> 10;
        gain += step;
        if (out > 24576 || out < -24576) {
            int bent = out < 0 ? -out : out;
            for (int knee = 24576, gap = 4096; gap >= 2048; knee += gap, gap >>= 1)
                if (bent > knee) bent = knee + ((bent - knee) >> 1);
            if (bent > 30720) bent = 30720 + ((bent - 30720) >> 1);
            if (bent > 32767) bent = 32767;
            out = out < 0 ? -bent : bent;
        }
        dst[i] = out;
    }
    return peak;
}

int clean(struct call *call) {
    const int32_t *words = call->src;
    int16_t *dst = call->dst;
    int offset = call->state[0], step = call->state[1], total = call->state[2];
    int shift = call->state[5];
    for (int i = 0; i < call->n; i++) {
        int word = words[i];
        total += word >> 12;
        int x = ((word >> 8) - (offset >> 8)) >> shift;
        if (x > 32767) x = 32767;
        if (x < -32768) x = -32768;
        dst[i] = x;
        offset += step;
    }
    call->state[0] = offset;
    call->state[2] = total;
    return 0;
}

int energy(struct call *call) {
    const int16_t *src = call->src;
    int x3 = src[0], x2 = src[1], x1 = src[2];
    uint32_t total = 0;
    for (int i = 3; i < call->n + 3; i++) {
        int x = src[i], y = (46 * x - 8 * x1 - 5 * x2 - 3 * x3) >> 6;
        total += ((uint32_t)(y * y) + 128) >> 8;
        x3 = x2;
        x2 = x1;
        x1 = x;
    }
    return total;
}

/** Constants of the algorithm: parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
const { K, INITIAL } = createConstants();

const BLOCK_BYTES = 64;

/**
 * SHA-256 of bytes that come in parts. The browser's own takes only a whole text at once, and not at all
 * on a page that came over plain HTTP.
 */
export class Sha256 {
  readonly #state = INITIAL.slice();
  readonly #words = new Int32Array(64);
  /** What is left until the next block is whole. */
  readonly #rest = new Uint8Array(BLOCK_BYTES);
  #restLength = 0;
  #byteCount = 0;

  /** Adds the next bytes. */
  update(bytes: Uint8Array): void {
    this.#byteCount += bytes.length;
    let at = 0;
    if (this.#restLength > 0) {
      at = Math.min(BLOCK_BYTES - this.#restLength, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restLength);
      this.#restLength += at;
      if (this.#restLength < BLOCK_BYTES) return;
      this.#takeBlock(viewOf(this.#rest), 0);
    }
    const view = viewOf(bytes);
    for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) this.#takeBlock(view, at);
    this.#rest.set(bytes.subarray(at));
    this.#restLength = bytes.length - at;
  }

  /** The digest of everything, in hexadecimal digits. Nothing can be added after that. */
  digest(): string {
    const bitCount = BigInt(this.#byteCount) * 8n;
    const padding = new Uint8Array(BLOCK_BYTES - ((this.#byteCount + 8) % BLOCK_BYTES));
    padding[0] = 0x80;
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, bitCount);
    this.update(padding);
    this.update(length);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #takeBlock(view: DataView, at: number): void {
    const words = this.#words;
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const w15 = words[i - 15]!;
      const w2 = words[i - 2]!;
      const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
      const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
      words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
    }
    this.#mix(words);
  }

  #mix(words: Int32Array): void {
    const state = this.#state;
    // As signed numbers, which engines calculate with fastest.
    let [a, b, c, d] = [state[0]! | 0, state[1]! | 0, state[2]! | 0, state[3]! | 0];
    let [e, f, g, h] = [state[4]! | 0, state[5]! | 0, state[6]! | 0, state[7]! | 0];
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = state[i]! + word));
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

function rotate(word: number, count: number): number {
  return (word >>> count) | (word << (32 - count));
}

function createConstants(): { readonly K: Int32Array; readonly INITIAL: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  const fraction = (x: number): number => Math.floor((x - Math.floor(x)) * 2 ** 32);
  return {
    K: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)) | 0),
    INITIAL: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}

/**
 * A number in [0, 1) that depends on nothing but its arguments: the shop has no state, so that any window of
 * any metric can be computed alone, and twice the same.
 */
export function chance(seed: number, ...parts: (string | number)[]): number {
  return chanceOf(hash(seed, ...parts));
}

/** The hash that `chance` is made of. Where many chances begin with the same parts, those are hashed once, and extended. */
export function hash(seed: number, ...parts: (string | number)[]): number {
  return extend((seed ^ 0x9e3779b9) >>> 0, ...parts);
}

/** `extend(hash(seed, a), b)` is `hash(seed, a, b)`. */
export function extend(start: number, ...parts: (string | number)[]): number {
  let h = start;
  for (const part of parts) {
    const text = typeof part === 'number' ? part.toString(36) : part;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
    h = mix(h ^ 0x2f);
  }
  return h;
}

/** A number in [0, 1). */
export function chanceOf(hashed: number): number {
  return mix(hashed) / 0x1_0000_0000;
}

/** Noise of mean 0 and standard deviation 1, bounded at about ±3.5 (a sum of four uniforms). */
export function noiseOf(hashed: number): number {
  const base = mix(hashed);
  let sum = 0;
  for (let i = 1; i <= 4; i++) sum += mix((base + Math.imul(i, 0x9e3779b9)) >>> 0) / 0x1_0000_0000;
  return (sum - 2) * Math.sqrt(3);
}

/** One element, chosen by a number in [0, 1). */
export function pick<const L extends readonly [unknown, ...unknown[]]>(items: L, by: number): L[number] {
  return items[Math.floor(by * items.length)] ?? items[0];
}

function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) >>> 0;
  return (h ^ (h >>> 16)) >>> 0;
}

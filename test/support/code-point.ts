import fc from 'fast-check';

/** Half surrogate pairs are between. */
const BELOW = 0xd800;
const HALVES = 0x800;

/**
 * The unit of strings of any characters: `fc.string({ unit: anyCodePoint })`. It draws what fast-check's `binary` draws,
 * without the table of all 1,112,064 characters that it makes and keeps: seconds and 90 MB in each worker.
 */
export const anyCodePoint: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - HALVES }).map(
  (index) => String.fromCodePoint(index < BELOW ? index : index + HALVES),
  (character) => {
    if (typeof character !== 'string' || [...character].length !== 1 || !character.isWellFormed())
      throw new Error('it is not one character');
    const code = character.codePointAt(0) ?? 0;
    return code < BELOW ? code : code - HALVES;
  },
);

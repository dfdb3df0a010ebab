import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The weights in which pictures are drawn. */
export type Weight = 400 | 600;

interface Face {
  file: string;
  /** Advance of each code point in the em; what is missing has no glyph. */
  advances: ReadonlyMap<number, number>;
}

const require = createRequire(import.meta.url);

const FACES: Readonly<Record<Weight, Face>> = {
  400: readFace(require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  600: readFace(require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
};

/** What `font-family` says in every picture. */
export const FONT_FAMILY = 'Inter';

/** The program's own fonts: pictures look the same on every machine. */
export const FONT_FILES: readonly string[] = [FACES[400].file, FACES[600].file];

/** Whether both weights can draw the code point. */
export function hasGlyph(codePoint: number): boolean {
  return FACES[400].advances.has(codePoint) && FACES[600].advances.has(codePoint);
}

/** The width of a text in pixels, by the font's own advances; kerning is left off, which makes it a little wide. */
export function textWidth(text: string, size: number, weight: Weight = 400): number {
  const { advances } = FACES[weight];
  let width = 0;
  for (const character of text) width += advances.get(character.codePointAt(0) ?? 0) ?? 1;
  return width * size;
}

/** Reads the tables `head`, `hhea`, `hmtx` and `cmap` (its format 12) of a TrueType file. */
function readFace(file: string): Face {
  const bytes = readFileSync(file);
  const tables = new Map<string, number>();
  for (let i = 0; i < bytes.readUInt16BE(4); i++) {
    const entry = 12 + i * 16;
    tables.set(bytes.toString('latin1', entry, entry + 4), bytes.readUInt32BE(entry + 8));
  }
  const table = (name: string) => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`${file} has no table ${name}: reinstall the packages (npm ci).`);
    return at;
  };
  const em = bytes.readUInt16BE(table('head') + 18);
  const lastMetric = bytes.readUInt16BE(table('hhea') + 34) - 1;
  const advanceOf = (glyph: number) =>
    bytes.readUInt16BE(table('hmtx') + Math.min(glyph, lastMetric) * 4) / em;
  const advances = new Map<number, number>();
  const groups = charactersTable(bytes, table('cmap'), file);
  for (let i = 0; i < bytes.readUInt32BE(groups + 12); i++) {
    const group = groups + 16 + i * 12;
    const [first, last, glyph] = [0, 4, 8].map((offset) => bytes.readUInt32BE(group + offset));
    if (first === undefined || last === undefined || glyph === undefined) continue;
    for (let codePoint = first; codePoint <= last; codePoint++)
      advances.set(codePoint, advanceOf(glyph + codePoint - first));
  }
  return { file, advances };
}

function charactersTable(bytes: Buffer, cmap: number, file: string): number {
  for (let i = 0; i < bytes.readUInt16BE(cmap + 2); i++) {
    const at = cmap + bytes.readUInt32BE(cmap + 4 + i * 8 + 4);
    if (bytes.readUInt16BE(at) === 12) return at;
  }
  throw new Error(`${file} has no known character map: reinstall the packages (npm ci).`);
}

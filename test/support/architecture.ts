import type { Import, Tree } from './imports.ts';

/**
 * Who may import whom (DESIGN section 2). A file belongs to the longest area that its path begins with; each area may
 * import itself and what it names. `type` allows types alone, `dynamic` alone what is loaded on demand.
 */
export interface Area {
  path: string;
  may: string[];
  type?: string[];
  dynamic?: string[];
}

const domain = ['alerts', 'service', 'store'];
const bot = ['config', 'lib', ...domain, 'render', 'filing', 'watching', 'asking', 'slack', 'health'];

export const areas: Area[] = [
  { path: 'start', may: ['config', 'main.ts', 'health', 'lib'], dynamic: ['sandbox', 'tools/gallery'] },
  { path: 'main.ts', may: ['compose.ts', 'config', 'lib'] },
  { path: 'compose.ts', may: bot },
  { path: 'config', may: ['lib'] },
  { path: 'lib', may: [] },
  { path: 'alerts', may: ['lib'] },
  { path: 'service', may: ['lib'] },
  { path: 'store', may: ['lib'] },
  { path: 'render', may: ['lib'], type: domain },
  { path: 'filing', may: ['lib', ...domain] },
  { path: 'watching', may: ['lib', 'service', 'store'] },
  { path: 'asking', may: ['lib', 'service', 'store'] },
  { path: 'slack', may: bot.filter((area) => area !== 'health') },
  { path: 'health', may: ['lib'] },
  { path: 'sandbox', may: ['lib', 'service/schema'] },
  {
    path: 'sandbox/service/investigator',
    may: ['lib', 'sandbox/service/telemetry.ts'],
    type: ['service/schema'],
  },
  {
    path: 'sandbox/workspace/page',
    may: ['lib', 'sandbox/workspace/page-api.ts', 'sandbox/workspace/page-stage.ts'],
  },
  { path: 'tools', may: ['start', 'main.ts', 'compose.ts', 'sandbox', ...bot] },
];

const mostLines = 400;

function within(path: string, area: string): boolean {
  return path === area || path === `${area}.ts` || path.startsWith(`${area}/`);
}

function areaOf(path: string): Area | undefined {
  return areas.filter((area) => within(path, area.path)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** Whether a path is in one of the places. */
function isIn(path: string, places: string[]): boolean {
  return places.some((place) => within(path, place));
}

function isAllowed(area: Area, { to, kind }: Import): boolean {
  // The page is another program: it is built, and never imported.
  if (within(to, 'sandbox/workspace/page') && area.path !== 'sandbox/workspace/page') return false;
  if (isIn(to, [area.path, ...area.may])) return true;
  if (kind === 'type') return isIn(to, [...(area.type ?? []), ...(area.dynamic ?? [])]);
  return kind === 'dynamic' && isIn(to, area.dynamic ?? []);
}

/** Each import that the table does not allow, each file that stands outside it, and each import of nothing. */
export function forbiddenImports(tree: Tree): string[] {
  const files = new Set(tree.files);
  const homeless = tree.files.filter((file) => areaOf(file) === undefined);
  const wrong = tree.imports.flatMap((one) => {
    if (!files.has(one.to) && /\.tsx?$/.test(one.to))
      return [`${one.from} imports ${one.to}, which does not exist`];
    const area = areaOf(one.from);
    return area === undefined || isAllowed(area, one)
      ? []
      : [`${one.from} may not import ${one.to} (${one.kind})`];
  });
  return [...homeless.map((file) => `${file} is in no area of the table`), ...wrong];
}

/** Each cycle of imports as the files on it, types included: `a.ts → b.ts → a.ts`. */
export function importCycles(tree: Tree): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of tree.imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of tree.files) visit(file, []);
  return cycles;
}

/** Each file that is longer than 400 lines. */
export function longFiles(tree: Tree): string[] {
  return [...tree.lines]
    .filter(([, lines]) => lines > mostLines)
    .map(([file, lines]) => `${file} has ${lines} lines`);
}

/** Packages that only some areas know: SQL stays in the store, Slack's client in `slack`. */
const homes: Record<string, string[]> = {
  kysely: ['store', 'sandbox', 'tools'],
  'better-sqlite3': ['store', 'sandbox', 'tools'],
  '@slack/bolt': ['slack', 'tools'],
  '@slack/socket-mode': ['slack'],
  '@slack/web-api': ['slack', 'tools'],
};

/** Each import of a package that the area may not know, or that the image does not have. */
export function forbiddenPackages(tree: Tree, production: string[]): string[] {
  return tree.packages.flatMap(({ from, to, kind }) => {
    const inImage = !isIn(from, ['start', 'sandbox', 'tools']);
    if (inImage && kind !== 'type' && !production.includes(to))
      return [`${from} imports ${to}, which is not a dependency`];
    const home = homes[to];
    return home === undefined || isIn(from, home) ? [] : [`${from} may not import ${to}`];
  });
}

import type { Import, Tree } from './imports.ts';

/**
 * Who may import whom. A file belongs to the longest area that its path begins with; each area may
 * import itself and what it names. `type` allows types alone, `dynamic` alone what is loaded on demand.
 */
export interface Area {
  path: string;
  may: string[];
  type?: string[];
  dynamic?: string[];
}

const domain = ['bot/alerts', 'contract', 'bot/store'];
const features = [
  'bot/filing',
  'bot/watching',
  'bot/issues',
  'bot/owners',
  'bot/record',
  'bot/runbooks',
  'bot/settings',
  'bot/tickets',
  'bot/digest',
  'bot/asking',
  'bot/webhooks',
];

export const areas: Area[] = [
  { path: 'main.ts', may: ['bot/compose', 'bot/config', 'bot/shared', 'lib'], type: ['bot/deps'] },
  { path: 'service.ts', may: ['service', 'lib'], dynamic: ['demo/simulated-service.ts'] },
  {
    path: 'start.ts',
    may: [
      'bot/config',
      'bot/variables.ts',
      'demo/program/demo.ts',
      'demo/program/terminal-log.ts',
      'service/model/settings.ts',
      'service/telemetry/settings.ts',
      'lib',
    ],
  },
  { path: 'bot/compose', may: ['bot', 'contract', 'lib'] },
  { path: 'bot/deps', may: [], type: ['bot', 'contract', 'lib'] },
  { path: 'bot/config.ts', may: ['bot/runbooks/address.ts', 'bot/shared', 'bot/variables.ts', 'lib'] },
  {
    path: 'bot/variables.ts',
    may: ['bot/alerts/formats/generic/webhook.ts', 'bot/webhooks/routes.ts', 'lib'],
  },
  { path: 'bot/shared', may: ['lib'], type: ['contract/client'] },
  { path: 'bot/alerts', may: ['bot/shared', 'lib'] },
  {
    path: 'bot/store',
    may: ['contract/answers', 'contract/schema', 'bot/shared', 'lib'],
    type: ['contract/client'],
  },
  { path: 'bot/render', may: ['bot/shared', 'lib'], type: domain },
  { path: 'bot/settings', may: ['bot/shared', 'lib', ...domain] },
  { path: 'bot/filing', may: ['bot/settings', 'bot/shared', 'lib', ...domain] },
  { path: 'bot/issues', may: ['bot/filing/privacy.ts', 'bot/shared', 'lib', 'contract', 'bot/store'] },
  { path: 'bot/record', may: ['bot/issues', 'bot/shared', 'lib', 'contract', 'bot/store'] },
  {
    path: 'bot/watching',
    may: ['bot/issues', 'bot/record', 'bot/problems', 'bot/shared', 'lib', 'contract', 'bot/store'],
  },
  {
    path: 'bot/tickets',
    may: [
      'bot/config',
      'bot/filing',
      'bot/issues',
      'bot/problems',
      'bot/shared',
      'lib',
      'contract',
      'bot/store',
    ],
  },
  { path: 'bot/problems', may: ['bot/shared', 'lib', 'bot/store'], type: ['contract/client'] },
  {
    path: 'bot/owners',
    may: ['bot/config', 'bot/issues', 'bot/tickets/tracker.ts', 'bot/shared', 'bot/store', 'contract', 'lib'],
  },
  {
    path: 'bot/runbooks',
    may: ['bot/config', 'bot/tickets/tracker.ts', 'contract', 'bot/shared', 'lib'],
  },
  { path: 'bot/digest', may: ['bot/shared', 'lib', 'contract', 'bot/store'] },
  { path: 'bot/retention', may: ['bot/shared', 'lib', 'contract', 'bot/store'] },
  { path: 'bot/asking', may: ['bot/filing/privacy.ts', 'bot/shared', 'lib', 'contract', 'bot/store'] },
  {
    path: 'bot/webhooks',
    may: ['bot/config', 'bot/filing', 'bot/problems', 'bot/settings', 'bot/shared', 'lib', ...domain],
  },
  {
    path: 'bot/slack',
    may: ['bot/config', 'bot/problems', 'bot/render', 'bot/shared', 'lib', ...domain, ...features],
    type: ['bot/deps'],
  },
  {
    path: 'bot/mcp',
    may: [
      'bot/config',
      'bot/render',
      'bot/slack',
      'bot/webhooks',
      'contract',
      'bot/shared',
      'lib',
      ...domain,
      ...features,
    ],
    type: ['bot/deps'],
  },
  { path: 'bot/health', may: ['bot/problems', 'bot/shared', 'lib'] },
  { path: 'contract', may: ['lib'] },
  { path: 'service', may: ['contract/schema', 'lib'] },
  {
    path: 'service/api/mcp.ts',
    may: ['service', 'contract/answers', 'contract/questions', 'contract/schema', 'lib'],
  },
  {
    path: 'service/investigation',
    may: [
      'contract/schema',
      'lib',
      'service/actions.ts',
      'service/databases',
      'service/log.ts',
      'service/metrics.ts',
      'service/store',
      'service/telemetry',
    ],
    type: ['contract/answers'],
  },
  { path: 'demo/shop', may: ['lib', 'service/telemetry'] },
  {
    path: 'demo/scenarios',
    may: ['demo/shop', 'demo/simulated-service.ts', 'lib'],
  },
  { path: 'demo/simulated-service.ts', may: ['demo/shop', 'service', 'lib'] },
  {
    path: 'demo/program',
    may: ['demo', 'service', 'bot/config', 'bot/health', 'bot/shared', 'main.ts', 'lib'],
    dynamic: ['tools/gallery'],
  },
  { path: 'lib', may: [] },
  {
    path: 'tools',
    may: ['main.ts', 'start.ts', 'service.ts', 'bot', 'contract', 'service', 'demo', 'lib'],
  },
];

/** The local Slack knows nothing of Gumshoe: it is a package of its own, and these are its folders. */
export const localSlackAreas: Area[] = [
  { path: 'src', may: [] },
  {
    path: 'page',
    may: ['src/page-api.ts', 'src/page-emoji.ts', 'src/page-panel.ts', 'src/page-requests.ts'],
  },
  { path: 'testing', may: ['src'] },
  { path: 'test', may: ['src', 'page', 'testing'] },
];

function within(path: string, area: string): boolean {
  return path === area || path === `${area}.ts` || path.startsWith(`${area}/`);
}

function areaOf(path: string, areas: Area[]): Area | undefined {
  return areas.filter((area) => within(path, area.path)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** Whether a path is in one of the places. */
function isIn(path: string, places: string[]): boolean {
  return places.some((place) => within(path, place));
}

function isAllowed(area: Area, { to, kind }: Import): boolean {
  if (isIn(to, [area.path, ...area.may])) return true;
  if (kind === 'type') return isIn(to, [...(area.type ?? []), ...(area.dynamic ?? [])]);
  return kind === 'dynamic' && isIn(to, area.dynamic ?? []);
}

/** Each import that the table does not allow, each file that stands outside it, and each import of nothing. */
export function forbiddenImports(tree: Tree, table = areas): string[] {
  const files = new Set(tree.files);
  const homeless = tree.files.filter((file) => areaOf(file, table) === undefined);
  const wrong = tree.imports.flatMap((one) => {
    if (!files.has(one.to) && /\.tsx?$/.test(one.to))
      return [`${one.from} imports ${one.to}, which does not exist`];
    const area = areaOf(one.from, table);
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

/** Packages that only some areas know: SQL stays in the store, Slack's client in `slack`. */
const homes: Record<string, string[]> = {
  kysely: ['bot/store', 'service/store', 'lib/postgres', 'lib/prepared-statements.ts', 'demo', 'tools'],
  pg: ['bot/store', 'service/store', 'service/databases', 'lib/postgres', 'tools'],
  mysql2: ['service/databases'],
  'better-sqlite3': [
    'bot/store',
    'service/store',
    'lib/file-lock.ts',
    'lib/prepared-statements.ts',
    'demo',
    'tools',
  ],
  'local-slack': ['demo', 'tools'],
  '@slack/bolt': ['bot/slack', 'tools'],
  '@slack/socket-mode': ['bot/slack'],
  '@slack/web-api': ['bot/deps', 'bot/slack', 'tools'],
};

/** Each import of a package that the area may not know, or that the image does not have. */
export function forbiddenPackages(tree: Tree, production: string[]): string[] {
  return tree.packages.flatMap(({ from, to, kind }) => {
    const inImage = !isIn(from, ['start.ts', 'demo', 'tools']);
    if (inImage && kind !== 'type' && !production.includes(to))
      return [`${from} imports ${to}, which is not a dependency`];
    const home = homes[to];
    return home === undefined || isIn(from, home) ? [] : [`${from} may not import ${to}`];
  });
}

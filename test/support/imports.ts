import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path/posix';
import { parseSync } from 'vite';
import { filesBelow } from './files.ts';

export interface Import {
  from: string;
  /** A path relative to the root for a relative import, else the name of the package. */
  to: string;
  kind: 'value' | 'type' | 'dynamic';
}

export interface Tree {
  /** Paths relative to the root, sorted. */
  files: string[];
  /** Imports of files, by path. */
  imports: Import[];
  /** Imports of packages (not of Node's own modules), by name. */
  packages: Import[];
}

function packageName(request: string): string {
  return request.split('/', request.startsWith('@') ? 2 : 1).join('/');
}

function requestsOf(path: string, source: string): { request: string; kind: Import['kind'] }[] {
  const { module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports = module.staticImports.map(({ moduleRequest, entries }) => {
    const onlyTypes = entries.length > 0 && entries.every((entry) => entry.isType);
    return { request: moduleRequest.value, kind: onlyTypes ? ('type' as const) : ('value' as const) };
  });
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest
        ? [{ request: moduleRequest.value, kind: isType ? ('type' as const) : ('value' as const) }]
        : [],
    ),
  );
  const dynamic = [...source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map((match) => ({
    request: match[1] ?? '',
    kind: 'dynamic' as const,
  }));
  return [...imports, ...exports, ...dynamic];
}

/** Reads what the TypeScript files below `root` (`start.ts`, `alerts/types.ts`, …) import: those that `wanted` accepts. */
export function readTree(root: string, wanted: (path: string) => boolean = () => true): Tree {
  const tree: Tree = { files: [], imports: [], packages: [] };
  tree.files = filesBelow(root, (path) => /\.tsx?$/.test(path) && wanted(path));
  for (const from of tree.files) {
    const source = readFileSync(join(root, from), 'utf8');
    for (const { request, kind } of requestsOf(from, source)) {
      if (request.startsWith('.')) {
        tree.imports.push({ from, to: normalize(join(from, '..', request)), kind });
      } else if (!request.startsWith('node:')) {
        tree.packages.push({ from, to: packageName(request), kind });
      }
    }
  }
  return tree;
}

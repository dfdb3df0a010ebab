import { z } from 'zod';
import { projectFile } from './files.ts';

const Locked = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  os: z.union([z.string(), z.array(z.string())]).optional(),
  cpu: z.union([z.string(), z.array(z.string())]).optional(),
  bin: z.record(z.string(), z.string()).optional(),
});
const { packages } = z
  .object({ packages: z.record(z.string(), Locked) })
  .parse(JSON.parse(projectFile('package-lock.json')));
export const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
/** The Node of each kind of machine. */
export const runtimes = installed.filter(([, { bin }]) => bin !== undefined && 'node' in bin);

/**
 * What the image's `npm ci --omit=dev` installs: all that the program itself needs. (Where the workspaces are, their packages
 * are installed, too, and so the lock file does not mark them as `dev`.)
 */
const inProduction = new Set<string>();
const wanted = Object.keys(packages['']?.dependencies ?? {});
for (const name of wanted) {
  if (inProduction.has(name)) continue;
  inProduction.add(name);
  const copies = installed.filter(([path]) => path.endsWith(`node_modules/${name}`));
  for (const [, { dependencies, optionalDependencies }] of copies)
    wanted.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
}

/** Whether the image has a package. */
export function isInProduction(name: string): boolean {
  return inProduction.has(name);
}

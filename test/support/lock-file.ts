import { z } from 'zod';
import { projectFile } from './files.ts';

const Locked = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
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

/** Whether `npm ci --omit=dev` installs a package. */
export function isInProduction(name: string): boolean {
  const locked = packages[`node_modules/${name}`];
  const target = locked?.link === true ? packages[locked.resolved ?? ''] : locked;
  return target !== undefined && target.dev !== true;
}

import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Botkube's events of Kubernetes objects. */
export const botkube: Format = { name: 'botkube', tool: 'Botkube', extract };

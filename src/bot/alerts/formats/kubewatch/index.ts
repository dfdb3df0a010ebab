import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** kubewatch's events of Kubernetes objects. */
export const kubewatch: Format = { name: 'kubewatch', tool: 'kubewatch', extract };

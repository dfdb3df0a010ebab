import type { Format } from '../format.ts';
import { alertmanager } from './alertmanager/index.ts';
import { datadog } from './datadog/index.ts';
import { generic } from './generic/index.ts';
import { grafana } from './grafana/index.ts';

/** Every format, in the order of asking. The generic one reads whatever the others left, so it stays last. */
export const formats: readonly Format[] = [alertmanager, grafana, datadog, generic];

import { fileURLToPath } from 'node:url';

/** What the embedded service speaks. */
export const SERVICE_VERSION = '2026-03-17';

export const MANIFEST = fileURLToPath(new URL('../../../manifest.yml', import.meta.url));

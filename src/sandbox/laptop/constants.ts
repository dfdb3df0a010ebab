import { fileURLToPath } from 'node:url';

export const MANIFEST = fileURLToPath(new URL('../../../manifest.yml', import.meta.url));

import { workerData } from 'node:worker_threads';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { z } from 'zod';

// Runs as a worker of page-build.ts.
const { source, folder } = z.object({ source: z.string(), folder: z.string() }).parse(workerData);

await build({
  configFile: false,
  envFile: false,
  root: source,
  base: '/',
  logLevel: 'silent',
  cacheDir: `${folder}.vite`,
  plugins: [react()],
  build: {
    outDir: folder,
    emptyOutDir: true,
    // A content-security policy may forbid `data:` and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 5_000,
    reportCompressedSize: false,
  },
});

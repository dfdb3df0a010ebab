import { workerData } from 'node:worker_threads';
import chars from '@iconify-json/twemoji/chars.json' with { type: 'json' };
import twemoji from '@iconify-json/twemoji/icons.json' with { type: 'json' };
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { z } from 'zod';
import { emojiFile, emojiOf, SHORTCODE_NAMES } from './page-emoji.ts';

// Runs as a worker of page-build.ts.
const { source, folder } = z.object({ source: z.string(), folder: z.string() }).parse(workerData);

const Icons = z.object({
  icons: z.record(z.string(), z.object({ body: z.string() })),
  width: z.number(),
  height: z.number(),
});
const Names = z.record(z.string(), z.string());

/** Adds the picture of each emoji that the page knows, from Twemoji (CC BY 4.0). */
function emojiPictures(): Plugin {
  const { icons, width, height } = Icons.parse(twemoji);
  const names = Names.parse(chars);
  return {
    name: 'emoji-pictures',
    generateBundle() {
      for (const emoji of new Set(SHORTCODE_NAMES.map((name) => emojiOf(name) ?? ''))) {
        const fileName = emojiFile(emoji);
        const icon = icons[names[fileName.replace(/^emoji\/|\.svg$/gu, '')] ?? ''];
        if (!icon) throw new Error(`Twemoji has no picture of ${emoji}`);
        const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${icon.body}</svg>`;
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

await build({
  configFile: false,
  envFile: false,
  root: source,
  base: '/',
  logLevel: 'silent',
  cacheDir: `${folder}.vite`,
  plugins: [react(), emojiPictures()],
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

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageFiles } from '../src/page-build.ts';
import { emojiFile, emojiOf, SHORTCODE_NAMES } from '../src/page-emoji.ts';

describe('the build of the page', () => {
  let cache: string;
  let folder: string;
  const env = process.env.NODE_ENV;

  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'local-slack-page-'));
    const blocked = join(cache, 'a-file');
    await writeFile(blocked, '');
    const both = await Promise.all([pageFiles([join(blocked, 'cache'), cache]), pageFiles([cache])]);
    expect(both[0]).toBe(both[1]);
    folder = both[0];
  });
  afterAll(() => rm(cache, { recursive: true }));

  it('lands whole in the first folder that can be written, also when two ask at once', async () => {
    const html = await readFile(join(folder, 'index.html'), 'utf8');
    const loaded = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(loaded.map((path) => path.replace(/-[\w-]{8}\./, '.')).sort()).toEqual([
      '/assets/index.css',
      '/assets/index.js',
      '/icon.svg',
    ]);
    for (const path of loaded) expect((await stat(join(folder, path))).size).toBeGreaterThan(0);
    expect((await readdir(cache)).sort()).toEqual(['a-file', folder.slice(cache.length + 1)]);
  });

  it('has a picture of every emoji that the page knows', async () => {
    const files = SHORTCODE_NAMES.map((name) => emojiFile(emojiOf(name) ?? ''));
    expect((await readdir(join(folder, 'emoji'))).sort()).toEqual(
      [...new Set(files.map((file) => file.slice('emoji/'.length)))].sort(),
    );
    const eyes = await readFile(join(folder, 'emoji/1f440.svg'), 'utf8');
    expect(eyes).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 36 36"><ellipse/u);
  });

  it('has nothing inline and nothing from elsewhere, so that a strict policy can hold', async () => {
    const html = await readFile(join(folder, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/u);
  });

  it('is found again, and leaves the environment alone', async () => {
    const built = (await stat(join(folder, 'index.html'))).mtimeMs;
    expect(await pageFiles([cache])).toBe(folder);
    expect((await stat(join(folder, 'index.html'))).mtimeMs).toBe(built);
    expect(process.env.NODE_ENV).toBe(env);
  });

  it('says which folders it tried when it can write nowhere', async () => {
    const blocked = join(cache, 'a-file', 'cache');
    await expect(pageFiles([blocked])).rejects.toThrow(
      `The page cannot be built: none of these folders is writable: ${blocked}`,
    );
  });
});

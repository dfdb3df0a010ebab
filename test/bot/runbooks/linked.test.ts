import { describe, expect, it } from 'vitest';
import { fetchPage, mayFetch } from '../../../src/bot/runbooks/index.ts';

const HOSTS = ['wiki.example', 'wiki.example:8443', 'localhost:9'];

it.each([
  ['https://wiki.example/x', true],
  ['https://WIKI.example:443/x', true],
  ['https://wiki.example:8443/x', true],
  ['http://localhost:9/x', true],
  ['http://wiki.example/x', false],
  ['https://wiki.example:444/x', false],
  ['https://wiki.example.evil.example/x', false],
  ['https://wiki.example@evil.example/x', false],
  ['https://user:password@wiki.example/x', false],
  ['https://169.254.169.254/x', false],
  ['file:///etc/passwd', false],
  ['wiki.example', false],
])('an address is fetched only by HTTPS from a host of RUNBOOK_HOSTS: %s', (address, may) => {
  expect(mayFetch(address, HOSTS)).toBe(may);
});

/** A wiki that answers by path. */
function wiki(pages: Record<string, Response>, asked: string[] = []): typeof globalThis.fetch {
  return async (input, init) => {
    asked.push(`${String(input)} ${new Headers(init?.headers).get('authorization')}`);
    return pages[new URL(String(input)).pathname] ?? new Response('', { status: 404 });
  };
}
const moved = (location: string) => new Response(null, { status: 302, headers: { location } });
const page = (text: string, type: string) => new Response(text, { headers: { 'content-type': type } });
const fetched = (fetch: typeof globalThis.fetch) => fetchPage('https://wiki.example/a', HOSTS, { fetch });

describe('a page that an alert links to', () => {
  it('is read where it moved to on its host, without any token', async () => {
    const asked: string[] = [];
    const fetch = wiki({ '/a': moved('/b'), '/b': page('1. Look', 'text/markdown; charset=utf-8') }, asked);
    expect(await fetched(fetch)).toBe('1. Look');
    expect(asked).toEqual(['https://wiki.example/a null', 'https://wiki.example/b null']);
  });

  it.each([
    ['moved to another host', { '/a': moved('https://evil.example/a') }, 'it redirects to another host'],
    ['moved to plain HTTP', { '/a': moved('http://wiki.example/a') }, 'it redirects to another host'],
    ['moved in a circle', { '/a': moved('/a') }, 'it redirects too often'],
    ['a web page', { '/a': page('<ol>', 'text/html') }, 'it is text/html, and only Markdown is read'],
    ['too long', { '/a': page('x'.repeat(500_001), 'text/plain') }, 'it is longer than 500000 bytes'],
    ['not there', {}, 'the host answers with 404'],
  ])('is not read if it is %s', async (_, pages, why) => {
    await expect(fetched(wiki(pages))).rejects.toThrow(why);
  });
});

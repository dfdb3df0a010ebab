import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createSendWebhook } from '../../../src/demo/program/embed.ts';

/** A bot that answers every webhook alike, and what it heard. */
async function botThat(status: number, answer: string) {
  const heard: unknown[] = [];
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      const { authorization, 'content-type': type, 'sentry-hook-resource': resource } = req.headers;
      heard.push([req.method, req.url, authorization, type, resource, body]);
      res.writeHead(status).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bot has no port.');
  return { url: `http://127.0.0.1:${address.port}`, heard };
}

it('a played webhook is posted with the token and the headers of its tool', async () => {
  const { url, heard } = await botThat(202, '');
  await createSendWebhook('secret-of-the-demo', () => url)(
    'sentry',
    { a: 1 },
    { 'sentry-hook-resource': 'issue' },
  );
  const headers = ['Bearer secret-of-the-demo', 'application/json', 'issue'];
  expect(heard).toStrictEqual([['POST', '/alerts/sentry', ...headers, '{"a":1}']]);
});

it('a webhook that the bot does not accept is refused in a sentence', async () => {
  const { url } = await botThat(403, '{"error":"This source is off."}');
  await expect(createSendWebhook('t', () => url)('grafana', {}, {})).rejects.toThrow(
    'Gumshoe refused the webhook (403): {"error":"This source is off."}',
  );
  await expect(createSendWebhook('t', () => null)('grafana', {}, {})).rejects.toThrow(
    'Gumshoe has not started yet. Try again in a moment.',
  );
  await expect(createSendWebhook('t', () => 'http://127.0.0.1:1')('grafana', {}, {})).rejects.toThrow(
    'Gumshoe did not answer the webhook.',
  );
});

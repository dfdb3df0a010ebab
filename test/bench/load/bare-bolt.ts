import { App, LogLevel } from '@slack/bolt';
import { BOT_TOKEN, SIGNING_SECRET } from './slack.ts';

/** What Bolt can do by itself: it acknowledges, and stores nothing. The measure of the ratio. */
const app = new App({
  signingSecret: SIGNING_SECRET,
  authorize: async () => ({ botToken: BOT_TOKEN, botId: 'B0BOT', botUserId: 'U0BOT' }),
  logLevel: LogLevel.ERROR,
});
app.event('message', async () => undefined);
const server = await app.start({ port: 0, host: '127.0.0.1' });
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('the server has no port');
console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
process.on('SIGTERM', () => process.exit(0));

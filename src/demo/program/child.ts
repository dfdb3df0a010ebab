/**
 * The bot's process, forked by `npm start` when Slack is embedded. It receives its environment in a message, answers
 * with its address, and exits when its parent is gone.
 */
process.on('disconnect', () => process.exit(1));
const startMessage = new Promise<unknown>((resolve) => process.once('message', resolve));
if (!process.connected) process.exit(1);

// Imported only now: loading takes a while, and the parent may exit meanwhile.
const { z } = await import('zod');
const { processIo } = await import('../../lib/io.ts');
const { onTerminal } = await import('./terminal-log.ts');
const { main } = await import('../../main.ts');

const StartMessage = z.object({ environment: z.record(z.string(), z.string()) });
const { environment } = StartMessage.parse(await startMessage);
const onStarted = ({ url }: { url: string }) => void process.send?.({ url });
const env = { ...process.env, ...environment };
process.exit(await main([], env, onTerminal(processIo, env), { onStarted }));

export {};

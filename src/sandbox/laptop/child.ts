/**
 * The bot as a process of its own: what `npm start` forks where Slack is embedded. It is told by a message what to run
 * with, says by another one where it listens, and ends when the process that made it is gone.
 */
process.on('disconnect', () => process.exit(1));
const told = new Promise<unknown>((resolve) => process.once('message', resolve));
if (!process.connected) process.exit(1);

// Only now, since loading takes a while, and the other process may end meanwhile.
const { z } = await import('zod');
const { configOrExit, run } = await import('../../main.ts');

const Told = z.object({ environment: z.record(z.string(), z.string()) });
const { environment } = Told.parse(await told);
const config = configOrExit({ ...process.env, ...environment });
const { slack, service } = config;
if (!slack || !service) throw new Error('the bot is to be told its Slack and its service');
process.exit(await run({ ...config, slack, service }, { onStarted: ({ url }) => process.send?.({ url }) }));

export {};

import type { RespondFn } from '@slack/bolt';
import { asPlainBlocks } from '../../render/plain.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { ListenerDeps } from './deps.ts';

/**
 * Says something to the one person who asked; in plainer blocks where Slack takes the others not. Best effort: a
 * response address lives half an hour.
 */
export async function tellPerson(
  respond: RespondFn,
  rendered: Rendered,
  { log }: Pick<ListenerDeps, 'log'>,
): Promise<void> {
  const say = (blocks: Rendered['blocks']) =>
    respond({ text: rendered.text, blocks, response_type: 'ephemeral', replace_original: false });
  const plain = asPlainBlocks(rendered);
  try {
    await say(rendered.blocks).catch(async (error) => {
      if (plain === null) throw error;
      await say(plain);
    });
  } catch (error) {
    log.warn({ err: error }, 'could not reply to a person: the response URL rejected the call');
  }
}

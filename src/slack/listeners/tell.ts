import type { RespondFn } from '@slack/bolt';
import type { Rendered } from '../../render/rendered.ts';
import type { ListenerDeps } from './deps.ts';

/** Says something to the one person who asked. Best effort: a response address lives half an hour. */
export async function tellPerson(
  respond: RespondFn,
  rendered: Rendered,
  { log }: Pick<ListenerDeps, 'log'>,
): Promise<void> {
  try {
    await respond({
      text: rendered.text,
      blocks: rendered.blocks,
      response_type: 'ephemeral',
      replace_original: false,
    });
  } catch (error) {
    log.warn({ err: error }, 'a person could not be answered: the response address has expired');
  }
}

import { uploadAs } from '../files/upload-as.ts';
import type { PageOutcome } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { outcomeOf, personIn } from './person.ts';
import type { Saying } from './say.ts';

/** What a person writes and attaches; `content` in base64. */
interface Attaching extends Saying {
  files: readonly { name: string; content: string }[];
}

/** Posts for the page, with files. */
export function uploadFromPage(world: WorkspaceContext, input: Attaching): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, channel } = personIn(world, input.as, input.channel);
    await uploadAs(world, {
      channel: channel.id,
      user: user.id,
      text: input.text,
      ...(input.thread_ts !== undefined && { thread_ts: input.thread_ts }),
      files: input.files.map(({ name, content }) => ({ name, content: Buffer.from(content, 'base64') })),
    });
  });
}

import { z } from 'zod';
import { setTabPrompts } from '../agent/sessions.ts';
import { joinedChannel } from '../conversations.ts';
import { LIMITS } from '../limits.ts';
import { SlackError } from '../slack-error.ts';
import { json, type Method, method, timestamp } from './method.ts';

const Prompts = z
  .array(z.looseObject({ title: z.string().min(1), message: z.string().min(1) }))
  .min(1)
  .max(LIMITS.prompts);

const setSuggestedPrompts = method({
  name: 'assistant.threads.setSuggestedPrompts',
  tokens: ['bot'],
  scopes: ['assistant:write'],
  tier: 'special',
  checks: ['invalid_arguments', 'channel_not_found', 'not_in_channel', 'missing_scope'],
  unchecked: [
    'the lengths of titles and messages',
    'threads of an assistant: an app here is an agent or none',
  ],
  args: z.looseObject({
    channel_id: z.string(),
    thread_ts: timestamp.optional(),
    title: z.string().optional(),
    prompts: json.pipe(Prompts),
  }),
  handle: (context, { title, prompts, channel_id, thread_ts }) => {
    // Slack takes no manifest with the scope and without a view of its own, so such an app lacks the scope.
    if (!context.manifest.agent) {
      const provided = context.manifest.scopes.join(',');
      throw new SlackError('missing_scope', { needed: 'assistant:write', provided });
    }
    const { im_user } = joinedChannel(context, channel_id);
    // Slack answers an agent that it is well, and does nothing: an agent's prompts belong to no thread.
    if (thread_ts !== undefined || im_user === null) return {};
    const shown = prompts.map(({ title: label, message }) => ({ title: label, message }));
    setTabPrompts(context, im_user, { prompts_title: title || null, prompts: shown });
    return {};
  },
});

export const assistantMethods: readonly Method[] = [setSuggestedPrompts];

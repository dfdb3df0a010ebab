import { z } from 'zod';
import { VERIFICATION_TOKEN } from '../deliver/transport.ts';
import type { PageOutcome } from '../page-api.ts';
import { checkModal } from '../validate/view.ts';
import type { World } from '../world.ts';
import { outcomeOf, PersonError } from './person.ts';
import { presentView, type ViewValues } from './present-view.ts';
import type { OpenView } from './views.ts';

/** A modal that a person sends off. */
export interface SubmitInput {
  as: string;
  view_id: string;
  values: ViewValues;
}

const Answer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('clear') }),
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
]);

/** Does what the app's acknowledgement says of the modal; one without a word closes it. */
function settle(world: World, view: OpenView, body: Record<string, unknown> | undefined): void {
  if (body === undefined || Object.keys(body).length === 0) {
    world.views.close(view.id);
    return;
  }
  const answer = Answer.safeParse(body);
  if (!answer.success) throw new PersonError('The app answered in a way that Slack does not know.');
  const { data } = answer;
  if (data.response_action === 'errors') throw new PersonError(Object.values(data.errors).join(' '));
  if (data.response_action === 'update') world.views.replace(view, checkModal(data.view));
  else world.views.close(view.id);
}

/** Sends a `view_submission` to the app. Where the app answers with errors, the modal stays open. */
export function submitView(world: World, { as, view_id, values }: SubmitInput): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const view = world.views.get(view_id);
    const user = world.store.users.get(as);
    if (!user || view?.user !== as) throw new PersonError('That window is not open any more.');
    const ack = await world.send('interactive', {
      type: 'view_submission',
      team: { id: world.team.id, domain: world.team.domain },
      user: { id: user.id, username: user.name, name: user.name, team_id: user.team_id },
      api_app_id: world.app.id,
      token: VERIFICATION_TOKEN,
      trigger_id: world.triggers.issue(user.id),
      view: presentView(world, view, values),
      response_urls: [],
      is_enterprise_install: false,
      enterprise: null,
    });
    if (!ack.ok) throw new PersonError('We had some trouble connecting. Try again?');
    settle(world, view, ack.body);
  });
}

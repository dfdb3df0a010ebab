import type { WebClient } from '@slack/web-api';
import { botScopes } from '../ids.ts';
import { type CheckResult, failed, passed, slackFailure } from './result.ts';

function checkScopes(granted: string[] | undefined): CheckResult {
  const name = 'Slack scopes';
  if (granted === undefined) return passed(name, 'Slack did not say which are granted');
  const needed = botScopes();
  const missing = needed.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return passed(name, `all ${needed.length} are granted`);
  return failed(
    name,
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not granted`,
    'paste manifest.yml at https://api.slack.com/apps → your app → App Manifest, then reinstall the app',
  );
}

/** Whether Slack takes the bot's token, and whether it grants every scope of the manifest. One call: `auth.test`. */
export async function checkSlackToken(client: WebClient): Promise<CheckResult[]> {
  const name = 'Slack token';
  try {
    const identity = await client.auth.test();
    const who = passed(name, `${identity.user ?? 'the bot'} in ${identity.team ?? 'the workspace'}`);
    if (identity.is_enterprise_install === true)
      return [
        failed(
          name,
          'it is of a whole organization of Enterprise Grid, and Gumshoe serves one workspace',
          'install the app in that workspace, and use the token that it shows',
        ),
      ];
    const grid =
      'The workspace is part of an Enterprise Grid: its admins may have to approve the app before it can post.';
    const first = identity.enterprise_id === undefined ? who : { ...who, notes: [grid] };
    return [first, checkScopes(identity.response_metadata?.scopes)];
  } catch (error) {
    return [slackFailure(name, error, 'SLACK_BOT_TOKEN')];
  }
}

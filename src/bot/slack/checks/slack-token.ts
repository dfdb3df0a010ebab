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
    return [who, checkScopes(identity.response_metadata?.scopes)];
  } catch (error) {
    return [slackFailure(name, error, 'SLACK_BOT_TOKEN')];
  }
}

import type Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { channelOf, consentOf, scopeOf } from '../../bot/slack/blockers/names.ts';
import { blockerSentences } from '../../bot/slack/blockers/sentences.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { isOfKey, MISSING_KEY, rightOf, serviceTroubleOf } from '../../bot/watching/service-notices.ts';
import { serviceSentence } from '../../bot/watching/service-watch.ts';

const Open = z.array(
  z.object({ name: z.string(), reason: z.string(), since: z.number(), detail: z.string() }),
);
type Open = z.infer<typeof Open>[number];

const NAME = 'open problem';
const STAYS = 'if that is intended, no action is needed';

/** What Gumshoe waits for somebody to mend, as it wrote it down, each with what to do about it. */
export function checkTroubles(db: Sqlite.Database): CheckResult[] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'troubles'").get() !== undefined;
  const rows = isThere
    ? db.prepare('SELECT name, reason, since, detail FROM troubles ORDER BY since').all()
    : [];
  const open = Open.parse(rows);
  if (open.length === 0) return [passed('open problems', 'none')];
  return open.map((trouble) => failed(NAME, detailOf(trouble), fixOf(trouble)));
}

function detailOf(trouble: Open): string {
  const { name, reason, since } = trouble;
  const [ofSlack] = blockerSentences([trouble]);
  if (ofSlack === undefined) return serviceSentence(name, reason, since);
  return `${ofSlack}, since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function fixOf({ name, reason }: Open): string {
  if (consentOf(name) !== null)
    return 'a member runs /gumshoe watch in the channel and agrees; or set ISSUE_SERVICE_PRIVATE_API_KEY';
  if (channelOf(name) !== null) return channelFix(reason);
  if (scopeOf(name) !== null) {
    return 'paste manifest.yml at https://api.slack.com/apps → your app → App Manifest, then reinstall the app';
  }
  if (name === MISSING_KEY)
    return 'set ISSUE_SERVICE_PRIVATE_API_KEY to the key they were filed with, and restart';
  if (isOfKey(name)) {
    const isPrivate = serviceTroubleOf(name)?.organization === 'private';
    const variable = isPrivate ? 'ISSUE_SERVICE_PRIVATE_API_KEY' : 'ISSUE_SERVICE_API_KEY';
    return `set ${variable} to a key the service accepts, and restart`;
  }
  if (rightOf(name) !== null) return 'give the key that permission at the service';
  return 'check the service and ISSUE_SERVICE_URL; Gumshoe resumes automatically once it is back';
}

function channelFix(reason: string): string {
  switch (reason) {
    case 'is_archived':
    case 'is_inactive':
      return `unarchive the channel; ${STAYS}`;
    case 'not_in_channel':
      return `run /invite @Gumshoe in the channel; ${STAYS}`;
    case 'channel_not_found':
      return 'run /invite @Gumshoe in the channel; if it was deleted, there is nothing to do';
    default:
      return 'allow Gumshoe to post: channel settings → posting permissions';
  }
}

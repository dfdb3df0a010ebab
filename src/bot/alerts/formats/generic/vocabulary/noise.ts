import { words } from './expression.ts';

/** An acknowledgement, a downtime, an update. */
export const NOTED = new RegExp(
  [
    '^(?:acknowledged|ack(?:ed)?|merged|snoozed|silenced|muted|suppressed|updated problem|re-?assigned|escalated|status changed)\\b',
    '^\\[?(?:acknowledged|acked|ack|snoozed|silenced|muted)\\]',
    '\\b(?:ACKNOWLEDGE?MENT|DOWNTIME\\w*|FLAPPING\\w*|CUSTOM) notification\\b',
    '\\bSTATE: (?:ACKNOWLEDGE|DOWNTIME)\\w*\\b',
    '\\b(?:has been|was|is now) (?:acknowledged|snoozed|silenced|muted)\\b',
    '\\backnowledged (?:by|the|this|problem)\\b',
    '\\b(?:alert|alarm|incident|monitor|problem)\\b.{0,60}\\b(?:acknowledged|snoozed|silenced|muted|escalated to|assigned to|reassigned)\\b',
  ].join('|'),
  'iu',
);

/** Reports, schedules, talk: problems they mention are not current ones, whatever else they say. */
export const NOISE = new RegExp(
  [
    '(?:\\b(?:to|now)|→|->) insufficient[ _]data\\b',
    '^\\W*(?:blog|rss|podcast|video|article|news|jira|trivia|question of the day|reminder|meeting|minutes|agenda|poll|survey|tweet|newsletter|fyi|tip|quiz|did you know|do you know|fun fact|welcome|thanks|thank you|happy|congrat\\w*|good (?:morning|evening|night|afternoon)|hello|hi|hey)\\b(?![.-]\\w)',
    words(
      'recap|digest|round-?up|hand-?over|hand(?:ed|ing) (?:it |things |on-call |the (?:pager|shift|watch) )?(?:over|off|to)|(?:hand|pass)(?:ed|ing) the (?:pager|baton)|hand-?off|scorecard|stand-?up|changelog|release notes|week \\d{1,2}',
      'retro|retrospective|post-?mortem|(?:incident|alert) (?:review|report|channel|process|template|response training|metrics|statistics)',
      'alert\\(s\\) posted|(?:this is (?:only |just )?an?|a) test(?: of| notification| alert| message)?|test (?:alert|notification|message|page|incident)|test-?alarm|drill|dry.?run|game ?day|chaos|simulated|simulation',
      '(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual|morning|evening|midday)\\b.{0,40}\\b(?:report|summary|stats|statistics|review|overview|numbers|figures|briefing|update|newsletter|metrics)(?! (?:job|service|task|worker|export|pipeline|generator|run|cron|query))',
      '(?:sla|slo|status|incidents?|costs?|usage|uptime|availability|performance|audit|security|capacity|coverage|test|traffic) (?:report|overview|summary)(?! (?:job|failed|service))|(?:report|summary|statistics|stats|metrics|figures) (?:for|of|is ready|are ready)|(?:on-?call|shift|rotation)\\b.{0,40}\\b(?:schedule|summary|starts|started|ends|ended|changed|takes over|until|begins|week|change)',
    ).source,
  ].join('|'),
  'u',
);

/** Topics of project-management and chat tools. */
export const TOPIC = words(
  '(?:pull|merge) request|[pm]r [#!]?\\d+|review(?:s|ed|er)? (?:requested|request|of|by|is)|code review|comment(?:s|ed)?(?: (?:of|on|by|from|in))|replied|mentioned|(?:sprint|story points|epic|kanban)|votes?|voted|quiz|webinar|podcast|blog post|birthday|anniversary|kudos|coffee|lunch|dinner|breakfast|menu|cake|pizza',
  'followers?|tweet(?:ed)?|likes?|liked|subscribed|unsubscribe|subscriber|upgrade now|upgraded to|free trial|trial (?:ends|expires)|discount|coupon|% off|lead|deal|signed (?:up|in|off)|invited|invitation|has joined|joined the|left the|onboarding|holidays?|vacation|pto|out of office|calendar|meeting|agenda|rsvp|attendees|interview|candidate|hiring|applicant',
  'documentation|wiki|runbooks? (?:was|were|updated|added|edited)|edited by|was edited|what.s new|new (?:runbook|playbook|guide|dashboard|feature|version|release|follower|customer|user|member|subscriber|comment|review|lead|order|message from|blog|post|channel|article|candidate|signup|hire|ticket|task|card|idea|document|page|file|video|survey|invoice)|feature request|feature flag|roadmap|changelog|bump|dependabot|renovate|terraform (?:plan|apply)|scheduled maintenance|planned maintenance|maintenance (?:window|of|on|for|begins|starts|is|will|tonight|tomorrow)|planned (?:work|outage|downtime|restart|upgrade)',
  '(?:release|version) v?\\d[\\w.]*|v?\\d+\\.\\d+(?:\\.\\d+)? (?:is out|released|is available|is live|rolled out)|(?:deploy(?:ment|ing|s)?|rollout|release|rolling out|canary)\\b.{0,60}\\b(?:started|starts|finished|complete[ds]?|is live|in progress|by \\w+|at \\d|to (?:production|prod|staging|dev)|is now at|begins|approved|waiting|queued|successful\\w*|done)(?!.{0,30}\\bfail)|deploying|shipping|shipped|delivered|parcel|package arrived',
  '(?:opened|created|filed|closed|updated) (?:an? |new |the )?(?:issue|ticket|task|story|card|bug)|ticket \\S{1,20} (?:was |has been |is )?(?:created|assigned|updated|closed|opened|commented|moved|resolved)|(?:ticket|task|story|card|bug|issue) (?:#?[\\w-]{1,20} )?(?:was |has been )?(?:opened|created|closed|moved|assigned|completed|added|commented|updated|labell?ed|re-?opened)(?: by| to| in|:)|order #?\\d+ (?:was |is |has been )?(?:paid|shipped|placed|delivered|confirmed|created|refunded)|new order|payment (?:of|received)|refund (?:of|issued)|invoice (?:#?\\d+|sent|paid)|receipt|purchase[ds]?|donat\\w+|stock price|exchange rate|weather',
  'thanks|thank you|happy|cheers|enjoy|please (?:review|vote|fill|join|welcome|read|update your|submit|remember|note)|don.t forget|remember to|join (?:us|the)|sign up|register|learn more|read more|check out (?:the|our)|we are (?:happy|excited|hiring)|good news|announc\\w+|coverage|lol|haha|office|(?:started|created|closed|new) (?:an? |the )?poll|(?:pipeline|build|tests?|workflow|release|migration|import|export|cron\\w*)\\b.{0,60}\\b(?:finished|succeeded|passed|completed|successful(?:ly)?)(?!.{0,40}(?:fail|error|recover|again))|reminder|builds?\\b.{0,40}\\b(?:green|ok|stable|fixed)|reviewers?|tasks? (?:due|overdue|left|open|on)|overdue tasks?|to-?dos?|huddle|deploy window|code freeze|capacity planning|planning for|question of the day|new answer|(?:asked|answered)(?: by| a question)?|approved (?:the |a |change|by)|change request|chg-?\\d+|blocked by|error budget.{0,40}(?:left|remaining)|week over week|month over month|vs (?:last|prev\\w*) (?:week|month|day)|compared to (?:last|yesterday)|year to date|post published|all systems|status page (?:was|updated)|fix(?:es|ed|ing)? (?:the|a|an|for|crash|error|bug|typo|issue|flaky)|error message of|t-shirts?|headlines?|training|course|workshop|certified|exam|feedback|standup',
);

/** Successes and completed work. */
export const NOTICE = words(
  'deployed|released|merged|completed|successful(?:ly)?|succeeded|success|passed|passing|finished|finishes|done|ready|created|updated|deleted|published|approved|failed over|running new version|now running|started|starts|scaled|scheduled|cancell?ed|aborted by|skipped|opened issue|joined|assigned|edited|renamed|moved|added|removed|uploaded|generated|imported|exported|synced|enabled|disabled by|turned (?:on|off)|changed by|paid|applied|rotated|upgraded|installed|rebooted by|restarted by|signed|archived|requested|promoted|rolled out|was renewed|rollback (?:of \\S+ )?(?:by|finished|completed)|tagged|pushed|refreshed|migrated|provisioned|registered|logged in|closed by|triggered by|started by|in progress',
);

/** Work done by people: `Dana approved …`. */
export const PERSON_DID =
  /^\W*(?:\p{Lu}\w{1,20}: )?\p{Lu}\p{Ll}+(?: \p{Lu}\p{L}+)? (?:has |just |also )?(?:approved|closed|opened|pushed|scheduled|merged|commented|created|updated|shared|invited|joined|assigned|added|removed|uploaded|edited|renamed|requested|posted|replied|asked|answered|won|is deploying|deployed|published|mentioned|signed|moved|booked|changed|set|marked|reviewed|submitted|completed|is on call|is now on call|cancelled|paid|voted|liked|wrote|says|said|thinks|wants)\b|^\W*(?:We(?! (?:have |just |were |are )?(?:detected|noticed|observed|registered|received no|could not|couldn['’]t|cannot|can['’]t|unable|failed)\b)|I|Let's|You have|Please|Everyone|Team)\b(?!-)/u;

/** Several counts, one of them of successes: a summary. */
export const COUNTS =
  /\b\d[\d,.]{0,12} (?:[a-z-]{2,20} ){0,2}[a-z-]{2,20}(?:,| and|;| ·| \||\n) ?(?:and )?\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,2}/iu;
export const WELL =
  /\b(?:passed|succeeded|successful|resolved|ok|completed|skipped|closed|added|healthy|ran|new|merged|done|processed|sent|delivered|mean time)\b/iu;

/** Fields of cards about work, sales and people. */
export const WORK_FIELDS =
  /^(?:assignee|reporter|assigned to|branch|commit|author|sprint|story points|epic|attendees|tests|amount|customer|plan|votes|deadline|due|due date|guests|reviewers?|requested by|approved by|merged by|deployed by|created by|by|changes|tickets|total|order|price|candidate|location of meeting|invited|company|deal|stage of deal|mrr|speaker|agenda|link to form|goal|ends|labels?|milestone|pr|pull request|tag|changelog|release notes|actor|committer|passed|coverage)$/u;

/** A quoted name of several words, whose words have no other meaning. */
export const QUOTED =
  /"[^"\s]{1,100}\s[^"]{1,200}"|“[^”\s]{1,100}\s[^”]{1,200}”|„[^“\s]{1,100}\s[^“]{1,200}“|«[^»\s]{1,100}\s[^»]{1,200}»/gu;

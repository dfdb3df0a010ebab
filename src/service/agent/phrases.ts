import { IF_DONE } from './advice.ts';
import { DEED, HELPED, WHO_DID, WHY_DID } from './changes.ts';
import { dimensionIn } from './dimension.ts';
import { COMMAND, GREETING, HELP, THANKS } from './help.ts';
import { BEFORE, LISTED } from './issues.ts';
import { idIn, literalIn } from './logs.ts';
import { HOT, nameIn } from './metric.ts';
import { COMPARES } from './moment.ts';
import { CONDITION, COUNTED, NOUN, WRONG } from './state.ts';
import { TRACE_ID } from './traces.ts';
import { startOf, type Turn } from './understand.ts';

/** A question as tools are chosen for it. */
export interface Asking {
  turn: Turn;
  /** Whether a cluster is connected. */
  hasState: boolean;
}

/** Words that ask for a tool. */
export interface Phrase {
  tool: string;
  /** Which of the things that the tool shows; of several such phrases only the strongest counts. */
  aspect?: string;
  /** How telling they are: 4 and more name what the tool shows, 2 only fit it; below 0 they ask for something else. */
  weight: number;
  words: RegExp;
  /** What has to be so besides. */
  and?: (asking: Asking) => boolean;
}

/** Of what a question is besides its words. */
const ANY = /^/u;

/** Every phrase that asks for a tool. `npm run bench -- --phrases` weighs them; a row without which no question goes wrong, goes. */
export const PHRASES: readonly Phrase[] = [
  { tool: 'state', weight: 3, words: CONDITION, and: ({ hasState }) => hasState },
  {
    tool: 'state',
    weight: 4,
    words: NOUN,
    // Without a cluster it can only say that there is none.
    and: ({ turn, hasState }) => hasState || (COUNTED.test(turn.words) && turn.metricNamed === null),
  },
  { tool: 'logs', weight: 4.5, words: /\blog(?:s|ged|ging)?\b/iu },
  {
    tool: 'logs',
    weight: 4,
    words:
      /\bstack ?traces?\b|\bexceptions?\b|\bstd(?:out|err)\b|\berror messages?\b|\bgrep\b|\b(?:\w+ )?lines?\b/iu,
  },
  {
    tool: 'logs',
    weight: 3,
    words:
      /\b(?:contain|mention|print)(?:s|ed|ing)?\b|\b(?:search|look)(?:ing)? for\b|\bwarnings?\b|\b(?:last|latest|recent|newest) errors?\b|\bmessages?\b|\boutput\b/iu,
  },
  { tool: 'traces', weight: 4.5, words: /(?<!\bstack )\btrac(?:es?|ing)\b|\bspans?\b|\bcritical path\b/iu },
  {
    tool: 'traces',
    weight: 4,
    words: /\b(?:slow(?:est)?|long(?:est)?|failed|failing) (?:requests?|calls?|queries|transactions?)\b/iu,
  },
  { tool: 'traces', weight: 2.5, words: /\bwhere\b.*\btime\b|\btime\b.*\bspent\b/iu },
  {
    tool: 'traces',
    weight: 4,
    words: /\b(?:requests?|calls?|queries|transactions?)\b.*\b(?:failed|took)\b/iu,
  },
  {
    tool: 'metric',
    weight: 2.5,
    words:
      /\b(?:graphs?|plot|charts?|draw|visuali[sz]e|metrics?|promql|trend|usage|utili[sz]ation|average|median|percentiles?|p\d\d|max(?:imum)?|min(?:imum)?|throughput|rates?|levels?)\b/iu,
  },
  { tool: 'metric', weight: 2, words: /\bhow (?:much|high|low|fast|full|large|many)\b|\btop \d+\b/iu },
  { tool: 'metric', weight: 3.5, words: COMPARES },
  { tool: 'rules', weight: 5, words: /\breplay\b/iu },
  { tool: 'rules', weight: 5, words: /\b[Hh]ow often\b.*\b(?:[A-Z][a-z0-9]+){2,}\b.*\bfire[sd]?\b/u },
  { tool: 'rules', weight: 4, words: /\bnoisy\b|\bnois(?:e|iest)\b|\bhygiene\b|\balert fatigue\b/iu },
  {
    tool: 'outlook',
    weight: 5,
    words:
      /\babout to\b|\bgoing to (?:break|fail|fill|expire|run out)\b|\bbefore (?:it|they|somebody|anybody|we)\b.*\bpaged?\b/iu,
  },
  {
    tool: 'outlook',
    weight: 4.5,
    words: /\bexpir(?:e|es|ing)\b|\brun(?:s|ning)? out\b|\bfill(?:s|ing)? up\b/iu,
  },
  {
    tool: 'changes',
    weight: 3.5,
    words:
      /\bchang|\b(?:re)?deploy(?!ment)|\breleas|\broll(?:ed|s|ing)?[- ]?(?:out|back)|\brevert|\bversion|\bcommit|\bmerge|\bpushed\b|\bshipped\b|\bprs?\b|\bpull requests?|\bfeature flags?\b/iu,
  },
  {
    tool: 'changes',
    weight: 4.5,
    words:
      /\bdeployments?\b.*\b(?:happened|today|yesterday|recent(?:ly)?|last|latest|since|history|ago)\b|\b(?:recent|last|latest|new) deployments?\b/iu,
  },
  {
    tool: 'changes',
    weight: 3,
    words: /\b(?:did|has|have) (?:some|any)(?:one|body|thing)\b|\b(?:go|goes|went|gone) (?:out|live)\b/iu,
  },
  {
    tool: 'dependencies',
    weight: 4,
    words:
      /\bdepend|\bupstream|\bdownstream|topology|\bservice (?:map|graph|mesh)|(?<!\b(?:on[- ]|I |we |should |to |failed |api |slow ))\bcall(?:s|ed|ers?|ees?|ing)?\b|\b(?:which|what|list|show|how many|all)\b(?: \w+)? services\b(?=\W*$| (?:are there|exist|do you|can you|run))|\b(?:breaks?|fails?|happens?) (?:if|when) ·/iu,
  },
  {
    tool: 'dependencies',
    weight: 2.5,
    words: /\btalk(?:s|ing)? to\b|\bconnect(?:s|ed)? to\b|\b(?:uses?|using|consumes?)\b.*·|·.*\buses?\b/iu,
  },
  {
    tool: 'advice',
    weight: 4.5,
    words:
      /what (?:should|can|do|must|shall|could) (?:i|we)|what now|what next|how (?:do|can|should|could|would|to)\b.*\b(?:fix|solve|repair|stop|\b(?:i|we) (?:can|could|should) do\b|mitigat|resolv|prevent|recover)|\b(?:should|can|could|do|shall) (?:i|we)\b(?! see)|^\W*(?:how to )?fix\b|\b(?:the|a) fix\b|mitigat|remed(?:y|iat)|next steps?|\broll ?back\?|(?:safe|risky?) to\b|workaround|runbook|playbook|checklist|\brecommend|\badvi[cs]e|\bsteps? to\b/iu,
  },
  { tool: 'issues', weight: 4, words: LISTED },
  { tool: 'issues', weight: 4.5, words: BEFORE },
  { tool: 'help', weight: 6, words: THANKS },
  { tool: 'help', weight: 12, words: COMMAND },
  { tool: 'help', weight: 5, words: HELP },
  { tool: 'help', weight: 2, words: GREETING },
  {
    tool: 'health',
    aspect: 'certainty',
    weight: 4,
    words:
      /\bruled? out\b|\bhow (?:sure|certain|confident|likely)\b|\byou (?:really )?(?:sure|certain)\b|\bconfiden|\bevidence\b|\bproof\b|\bhow do you know\b|\bwhat else\b|\b(?:could|can|might) it\b.*\bbe\b|\bother (?:causes?|explanations?|reasons?|suspects?)\b|\balternative|^\W*really\b|\bfalse (?:alarm|positive)|\bis (?:this|it) real\b|^\W*(?:is|was) (?:it|this|that) (?:really |just )?(?:the|an?|because|due|caused|·)|^\W*(?:is|was|are|were|so|did|does|has|could)\b.*\b(?:caus(?:es?|ed)|reasons?|culprit|fault|to blame|involved)\b/iu,
  },
  {
    tool: 'health',
    aspect: 'since',
    weight: 3.5,
    words: /since when|\bwhen (?:did|was|has)\b|how long|what time (?:did|was|has)/iu,
  },
  {
    tool: 'health',
    aspect: 'impact',
    weight: 3.5,
    words:
      /\baffect|impact|\bblast|\bhow (?:bad|serious|severe|big|urgent|critical)\b|\bhow many\b.*\b(?:fail|error)|\bseverity\b|\bdowntime\b|\bhit by\b/iu,
  },
  {
    tool: 'health',
    aspect: 'status',
    weight: 3.5,
    words:
      /(?<!\w)(?:it|this|that|things|we|the \w+|·)\s+(?:all\s+)?(?:over(?! (?:the|time|\d))|recover(?:ed)?|resolved?|fixed|cleared|gone|stop(?:ped)?|ended?|back to normal|healthy again|good again|getting (?:better|worse)|improving|better|worse|stable)\b|\bstill\b|\bongoing\b|^\W*(?:is )?(?:all )?(?:over|recovered|fixed|better|worse)\W*$|^\W*(?:and )?now\W*$|\bgetting (?:better|worse)\b/iu,
  },
  { tool: 'health', aspect: 'status', weight: 5.5, words: /\bback to normal\b|\brecovered\b/iu },
  { tool: 'health', aspect: 'cause', weight: 5.5, words: /\bwhy\b|\bhow come\b/iu },
  {
    tool: 'health',
    aspect: 'cause',
    weight: 3.5,
    words:
      /\bcaus(?:e[ds]?|ing)\b|\breasons?\b|what (?:happen|is (?:this|it|going|wrong|broken)|was (?:it|this|that)|broke)|what's (?:this|it|going|wrong|broken|up)|\b(?:wrong|issues?|problems?|trouble) with\b/iu,
  },
  {
    tool: 'health',
    aspect: 'cause',
    weight: 4,
    words: /^\W*(?:high|low|too (?:many|much)|lots? of|increased|elevated|slow)\b/iu,
  },
  {
    tool: 'health',
    aspect: 'cause',
    weight: 2.6,
    words: /\b(?:explain|details?|investigate|diagnose|debug|troubleshoot|this issue)\b/iu,
  },
  {
    tool: 'health',
    aspect: 'health',
    weight: 2.8,
    words:
      /\bwrong\b|happen|going on|\b(?:un)?health|\bproblems?\b|\bissues?\b|\bhow (?:is|are|was|were)\b|how's|\bstatus\b(?! (?:updates?|pages?|codes?|reports?))|^\W*(?:so |and )?(?:is|are|was|were|has|have|do|does|did)\b.*\b(?:ok|okay|al(?:l )?right|fine|up|down|broken?|slow|fail\w*|degraded|trouble|working|alive|reachable|recovered|better)\b|\b(?:tell me )?about ·|\bdegraded\b/iu,
  },
  {
    tool: 'logs',
    weight: 8,
    words: ANY,
    and: ({ turn: { question, named } }) => literalIn(question, named) !== null,
  },
  { tool: 'traces', weight: 4, words: ANY, and: ({ turn: { question } }) => TRACE_ID.test(question) },
  { tool: 'metric', weight: 4, words: ANY, and: ({ turn }) => nameIn(turn) !== null },
  { tool: 'changes', aspect: 'who', weight: 9, words: WHO_DID },
  { tool: 'changes', aspect: 'why', weight: 9, words: WHY_DID },
  { tool: 'advice', aspect: 'if', weight: 9, words: IF_DONE },
  { tool: 'advice', weight: -4.5, words: /^\W*who\b|^\W*what (?:can|should) i (?:ask|see)\b/iu },
  { tool: 'issues', weight: 2.2, words: ANY, and: ({ turn }) => turn.numberNamed !== null },
  {
    tool: 'state',
    weight: 3,
    words: WRONG,
    and: ({ turn: { words }, hasState }) => hasState && (NOUN.test(words) || CONDITION.test(words)),
  },
  { tool: 'changes', weight: 3, words: HELPED, and: ({ turn: { words } }) => DEED.test(words) },
  {
    tool: 'metric',
    weight: 4,
    words: ANY,
    // With a cluster, its pods are objects before they are a label.
    and: ({ turn, hasState }) => {
      const by = dimensionIn(turn.words);
      return by !== null && !(hasState && by.name === 'pod');
    },
  },
  {
    tool: 'outlook',
    weight: 4.5,
    words: /\bhow (?:long|much time)\b.*\b(?:left|until|till|before|do we have)\b/iu,
  },
  {
    tool: 'outlook',
    weight: 6,
    words:
      /\b(?:until|till|by|through|before) (?:the |tomorrow )?(?:morning|tomorrow|tonight|night)\b|\bover ?night\b|\b(?:survive|last|make it)\b.*\bnight\b|\b(?:full|empty|lasts?|enough)\b.*\b(?:until|till|by) \d{1,2}:\d\d\b|\benough\b.*\b(?:room|space|disk|memory|connections?)\b/iu,
  },
  {
    tool: 'issues',
    aspect: 'relation',
    weight: 6.5,
    words:
      /\brelated to (?:this|that|it)\b|^\W*(?:is|are|was|were)\b.*\brelated\b|\b(?:any|some|no)thing to do with\b|\b(?:connected|linked) (?:to|with) (?:this|that|it)\b|\bsame (?:cause|reason|root cause)\b/iu,
    and: ({ turn }) => turn.numberNamed === null,
  },
  {
    tool: 'rules',
    weight: 5.5,
    words:
      /\b(?:alert(?:ing|s)?|prometheus|recording) rules?\b|\b(?:alerts?|rules?)\b.*\b(?:never|ever|often)\b.*\bfire[sd]?\b|\bnever\b.*\bfire[sd]?\b|\bthreshold\b/iu,
  },
  { tool: 'metric', weight: 4.5, words: HOT },
  {
    tool: 'outlook',
    weight: 4.5,
    words: /\bwhen (?:will|does|is|are)\b.*\b(?:full|empty|drained|used up|out of \w+)\b/iu,
  },
  {
    tool: 'issues',
    aspect: 'brief',
    weight: 5,
    words:
      /\bcatch (?:me|us) up\b|\bup to (?:date|speed)\b|\bwhere (?:are|do) we stand\b|\bwhat did i miss\b|\brecap\b|\bsummar\w+|\btl;?dr\b|\brundown\b/iu,
  },
  {
    tool: 'issues',
    aspect: 'customers',
    weight: 6,
    words:
      /\bstatus ?(?:page|update)\b|\b(?:for|tell|to) (?:the |our )?(?:customers|users|management)\b|\bcustomer (?:update|message)\b/iu,
  },
  {
    tool: 'logs',
    weight: 5,
    words: ANY,
    // Only lines know one order or request.
    and: ({ turn: { question, named } }) => named.length === 0 && idIn(question) !== null,
  },
  {
    tool: 'health',
    aspect: 'certainty',
    weight: 5,
    words:
      /^\W*(?:so |and |but )?(?:is|was|did|could|can|might|does)\b.*\b(?:deploy\w*|releas\w*|rollout|change|commit|version)\b.*\b(?:do|cause\w*|break|broke|blame|guilty|culprit|reason|fault|this|it)\b/iu,
  },
  { tool: 'health', aspect: 'status', weight: 3.5, words: /^\W*(?:is (?:it|this|that) )?only\b/iu },
  {
    tool: 'traces',
    aspect: 'common',
    weight: 6,
    words:
      /\bwhat\b.*\bin common\b|\bin common\b|\bset(?:s)? (?:\w+ )*apart\b|\bdistinguish\w*|\b(?:one|only|just|single|certain|specific)\b.*\bor\b.*\b(?:all|every\w*|each|others?|any)\b/iu,
  },
];

/** The first measure that a question names, where a word begins with it. */
const MEASURE_WEIGHT = 2.5;
/** Where a phrase begins that only says more about what is asked for: `the logs | of the pod | that crashed`. */
const MORE =
  /\s(?=(?:of|in|on|at|for|from|to|with|by|under|through|that|which|who|whose|where|when|while|during|and|but|or)\b|(?:since|after|before)\s+\w)/giu;
/** A phrase that names what a tool shows. */
const NAMES_A_TOOL = 3;

/** How much a question asks for each tool, and for which aspect of it. What it asks for is in the first phrase that asks. */
export function weigh(
  asking: Asking,
  phrases: readonly Phrase[] = PHRASES,
): Map<string, { score: number; aspect: string | null }> {
  const { words, metricNamed } = asking.turn;
  const found = phrases
    .map((phrase) => ({ phrase, at: phrase.words === ANY ? 0 : words.search(phrase.words) }))
    .filter(({ phrase, at }) => at >= 0 && phrase.and?.(asking) !== false);
  const naming = found.filter(({ phrase: { words: own, weight } }) => own !== ANY && weight >= NAMES_A_TOOL);
  const first = Math.min(...naming.map(({ at }) => at));
  const end = [...words.matchAll(MORE)].find(({ index }) => index > first)?.index ?? words.length;
  const worth = (at: number) => (naming.length === 0 || at < end ? 1 : 0.5);
  const scores = new Map<string, { score: number; aspect: string | null }>();
  const add = (tool: string, weight: number, aspect: string | null) => {
    const before = scores.get(tool) ?? { score: 0, aspect: null };
    scores.set(tool, { score: before.score + weight, aspect: aspect ?? before.aspect });
  };
  for (const { phrase, at } of found)
    if (phrase.aspect === undefined)
      add(phrase.tool, phrase.weight * (phrase.weight < 0 ? 1 : worth(at)), null);
  for (const [tool, some] of Map.groupBy(
    found.filter(({ phrase }) => phrase.aspect !== undefined),
    ({ phrase }) => phrase.tool,
  )) {
    const best = some
      .map(({ phrase, at }) => ({ weight: phrase.weight * worth(at), aspect: phrase.aspect ?? null }))
      .reduce((a, b) => (b.weight > a.weight ? b : a));
    add(tool, best.weight, best.aspect);
  }
  if (metricNamed !== null) add('metric', MEASURE_WEIGHT * worth(words.search(startOf(metricNamed))), null);
  return scores;
}

/** Whether a word begins as a phrase that asks for something: then it is no name. */
export function beginsPhrase(word: string): boolean {
  return PHRASES.some(({ words, weight }) => words !== ANY && weight > 0 && words.exec(word)?.index === 0);
}

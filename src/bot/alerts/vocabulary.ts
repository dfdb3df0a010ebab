/** A regular expression of whole words for lower-case text. Part of a path or of a name is not a word. */
export function words(...pieces: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w/.-])(?:${pieces.join('|')})(?!\\w|[-/.]\\w)`, 'u');
}

/** The same, for all matches. */
export function all(expression: RegExp): RegExp {
  return new RegExp(expression.source, `${expression.flags}g`);
}

/** A set of words separated by spaces. */
function setOf(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(' '));
}

/** Words for states, and function words: none of them identifies a thing. */
export const NOT_NAMES = setOf(
  'alerting activated active inactive ongoing regressed escalating down up unreachable reachable unavailable',
  'looping hung hanging frozen broken overdue stale fresh outdated expired expire expires expiring expiry corrupt',
  'overheating overheated throttled throttling evicted unstable stable inaccessible accessible critical crit dead',
  'alive halted erroring resolved resolves recovered recovers recovery recovering cleared clears clear mitigated',
  'remediated stabilized normalized drained subsided healed rejoined restored restores repaired solved fixed ok',
  'okay closed closing close opened open reopened re-opened reopen new declared raised detected started start',
  'starts ended ends end over finished finish succeeded succeeds success successful successfully passed passing',
  'surge blocked timed timeout timeouts times refused refuses reset dropped drops drop dropping lost loses',
  'regained exceeded exceeds exceeding breach breached breaches breaching violated violation crossed crosses',
  'above below under within beyond outside inside threshold limit limits quota target baseline minimum maximum',
  'max min normal abnormal abnormally unusual unusually usual unexpected unexpectedly expected anomaly anomalous',
  'optimal nominal operational synced unsynced growing grows grew rising rises rose climbing increasing increased',
  'decreasing decreased falling falls fell fallen behind caught catching caught-up piling building backing',
  'filling full fast slow slowly burning burns burnt nearly almost completely responded responding responds',
  'respond returned returns returning answered answering answers reporting reported reports received receiving',
  'restart killed oomkilled oom exited exit code terminated aborted elevated high higher low lower warm hot cold',
  'too very extremely dangerously many few much long large small big ago last next latest current currently now',
  'again back once still yet already just state status changed change changes transition transitioned went gone goes',
  'go came come comes became is are was were be been being has have had having will would should could can cannot',
  'did does do not no none n nt isn hasn doesn didn longer never until critically severe severely severity',
  'priority urgent urgency warning warn warnings alert alerts alarm alarms problem problems incident incidents',
  'issue issues notification notifications event attention needs need info notice minor major moderate medium red',
  'green yellow amber orange good bad unknown acknowledged lasted lasting duration since for after before during',
  'from to at by in on of the a an and or with without its their our your it this that these there all any only',
  'than then as per vs versus about around approximately due because reason while when via out into seen checked',
  'check-in checkin heard stopped stops stop paused resumed resumes resume interrupted impaired disabled enabled',
  'used usage utilization utilisation value level rate count counts percent percentage average avg p50 p90 p95',
  'attempts attempt tries retries consecutive service services host hosts server hostname monitor monitored check',
  'everything looks look looking seems schedule scheduled excessive heavy reduced health err voltou fora ar ao',
  'jumped jump private public publicly readable flowing normally tripped sealed unsealed locked unlocked partial',
  'partially entire entirely experiencing two three four five six seven eight nine ten twice leaks leak leaking',
  'time page paging on-call automatic automatically auto today yesterday tomorrow soon am pm utc gmt cet cest est',
  'pst degrading stays stay stayed remains remain range sync bounds tolerance through correctly properly enough',
  'sufficient room talking silent progress battery mains power runtime container back-off backoff valid recent',
  'risk burned taken seat seats empty reach reaches skipped objective established danger yes reads read reading',
  'measured observed saw seeing see found find lacks lack exists exist behaves behaving quiet',
);

/** The same in other languages. */
export const NOT_NAMES_FOREIGN = setOf(
  'antwortet dienst wieder nicht mehr störung voll normal auf in der entwarnung alarm offline min alerte critique',
  'résolu à nouveau de la le depuis indisponible disponible en dépasse revenue normale seuil service attention',
  'alerta restablecido caído no y servicio resolvido problema do na è non risponde is parado em com atualização',
  'serviço проблема решено недоступен доступен снова уже сервер узел на 응답 없음 정상 장애 복구 awaria rozwiązano serwer',
  'nie odpowiada sunucusu yanıt vermiyor veriyor 告警 恢复 警告',
);

/** States that end a word where words are not set apart: `内存使用率过高`, `サーバーが復旧しました`. */
export const STATE_ENDING =
  /(?:が|は|を|に)?(?:已|恢复|恢復|解除|正常|过高|過高|过低|過低|超出|超过|超過|无响应|無響應|无法连接|無法連線|告警|故障|失败|失敗|宕机|不可用|离线|异常|異常|応答(?:なし|して|し|が)?|復旧|回復|解消|障害|停止|エラー|ダウン|切断|発生)+\p{Script=Hiragana}*$/u;

/** Nouns that need the number after them to be a name. */
export const NUMBERED = setOf(
  'rule freezer rack line store unit zone room floor sensor pump door gate lane bay slot port node host server',
  'printer camera turbine station site shard partition replica worker drive channel cell probe truck vehicle',
  'machine robot elevator lift tank well vlan ring chiller boiler battery inverter panel meter terminal register',
  'pos kiosk atm gpu core psu fan building branch shop warehouse dc az hall compressor conveyor oven press',
);

/** An acknowledgement, a downtime, an update. */
export const NOTED = new RegExp(
  [
    '^(?:acknowledged|ack(?:ed)?|merged|snoozed|silenced|muted|suppressed|updated problem|re-?assigned|escalated|status changed)\\b',
    '^\\[?(?:acknowledged|acked|ack|snoozed|silenced|muted)\\]',
    '\\b(?:CUSTOM notification\\b|STATE: ACKNOWLEDGE\\w*)',
    '\\b(?:has been|was|is now) (?:acknowledged|snoozed|silenced|muted)\\b',
    '\\backnowledged (?:by|the|this|problem)\\b',
    '\\b(?:alert|alarm|incident|monitor|problem)\\b.{0,60}\\b(?:acknowledged|snoozed|silenced|muted|escalated to|assigned to|reassigned)\\b',
  ].join('|'),
  'iu',
);

/** The same, as Nagios and its relatives name their notifications. */
export const NOTED_LOUD =
  /\b(ACKNOWLEDGE?MENT|DOWNTIME|FLAPPING|CUSTOM)(START|END|STOP|CANCELLED|DISABLED)?\b/u;

/** A quoted name of several words, whose words have no other meaning. */
export const QUOTED =
  /"[^"\s]{1,100}\s[^"]{1,200}"|“[^”\s]{1,100}\s[^”]{1,200}”|„[^“\s]{1,100}\s[^“]{1,200}“|«[^»\s]{1,100}\s[^»]{1,200}»/gu;

/** States in other languages, as stems, which may be anywhere in a word. */
export const FAILING_FOREIGN =
  /nie odpowiada|nie działa|niedostępn|awari|yanıt vermiyor|çalışmıyor|erişilemiyor|не ?доступ|не отвечает|не працює|не работает|не відповідає|проблема(?! реш| устр)|авари[яи]|сбой|упал[ао]?(?!\p{L})|превыш|ошибк|отказ(?!\p{L})|остановлен|перестал|недостаточно места|תקלה|לא זמינ?ה?|לא מגיב|נפל|כשל|שגיאה|超出|无响应|無響應|無法連線|无法连接|過高|过高|過低|过低|ausgefallen|(?:antwortet|reagiert|läuft|funktioniert|sendet) nicht|nicht mehr|\bne \p{L}{2,12} (?:plus|pas)\b|fehlgeschlagen|nicht erreichbar|gestört|störung|überschritten|unterschritten|überlastet|fast voll|abgestürzt|abgelaufen|läuft (?:bald |in .{1,12} )?ab|indisponible|injoignable|en panne|échou|échec|dépass|saturé|hors ligne|en erreur|interrompu|expire dans|caíd[oa]|falló|fallad[oa]|fallando|no responde|no disponible|inaccesible|superad[oa]|excedid[oa]|fuera de|agotad[oa]|caiu|falhou|indisponível|fora do ar|não responde|ultrapass|guasto|non risponde|irraggiungibile|superat[oa]|fallit[oa]|niet bereikbaar|mislukt|overschreden|storing|異常|障害|停止|失敗|超過|エラー|ダウン|応答なし|応答していません|切断|告警|故障|失败|超过|宕机|不可用|离线|장애|실패|초과|다운/iu;
export const RECOVERED_FOREIGN =
  /rozwiązan|przywrócon|çözüldü|düzeldi|tekrar (?:çalış|erişil)|снова|восстанов|решен[оа](?!\p{L})|устран[её]н|в норме|нормализ|знову|відновлено|вирішено|נפתר|טופל|תוקנ?ה?(?!\p{L})|שוב זמין|חזרה? ל|已解决|已解決|恢復|해소|behoben|\bwieder\b|wiederhergestellt|entwarnung|normalisiert|gelöst|erholt|résolu|rétabli|de nouveau|à nouveau|revenu|retour à la normale|restablecid|recuperad|resuelt|solucionad|de nuevo|vuelve|normalizad|resolvid|voltou|de volta|restaurad|risolt|ripristinat|di nuovo|tornat|opgelost|hersteld|weer (?:bereikbaar|online|normaal)|復旧|回復|解消|正常|恢复|解除|복구|정상/iu;

/** Things that should happen; a problem if they do not. Parts of a regular expression. */
export const GOOD =
  'respond(?:ed|ing|s)?|reachable|reach(?:ed|es)?|reporting|report(?:ed)?|running|run|started?|finish(?:ed|es)?|complet(?:ed|es|ing|e)|' +
  'connect(?:ed|ing)?|available|healthy|working|works?|ready|syncing|in sync|synced|replicating|receiv(?:ed|ing)|answer(?:ed|ing)?|' +
  'recover(?:ed|ing)?|resolved?|fixed|closed|cleared|passing|pass(?:ed)?|succeed(?:ed|ing)?|checked in|check(?:ing)? in|arriv(?:ed?|ing)|' +
  'load(?:ed|ing)?|updat(?:ed|ing)|online|accessible|operational|stable|normal|ok|up|back|seen|valid|processed|processing|' +
  'sending|sent|deliver(?:ed|ing)|ack(?:ed|nowledg(?:ed|ing))|consum(?:ed|ing)|moving|progressing|backed up|renewed|delivering|successful|talking|breathing|beating';

/** Words that always mean a problem. */
const BAD =
  'down|unreachable|unavailable|unhealthy|degraded|offline|unresponsive|exhausted|stuck|stalled|failing|crashed|crashing|flapping|' +
  'hung|hanging|frozen|broken|overdue|stale|outdated|expired|corrupt(?:ed)?|inconsistent|disconnected|unplugged|saturated|overloaded|' +
  'overheat(?:ed|ing)|throttled|throttling|evicted|unstable|inaccessible|unusable|unresolved|escalating|critical|dead|halted|erroring|' +
  'timing out|out of sync|leaking|unsynced|unsynchroni[sz]ed|misconfigured|compromised|infected|tampered|unprotected|unencrypted|' +
  'overcommitted|unassigned|unschedulable|starved|breaching|late|delayed|lagging|spiking|missing|blocked';

/** Verbs and nouns that mean a problem on their own. */
export const FAILING = words(
  'firing|fired|re-?triggered|triggered|alerting|activated|is active|ongoing|regressed|re-?occurred|re-?opened|needs attention',
  BAD,
  'failed(?! over)|fails|failure|missed|misses|crash(?:es)?|crash ?loop\\w*|timed out|times out|outage|aborted|killed|terminated unexpectedly|(?:exited|finished|ended|completed) with (?:an? )?(?:(?:exit )?(?:code|status) )?(?:errors?|[1-9]\\d*)|exit (?:code|status) [1-9]\\d*',
  '(?:is|are|went|gone|goes|became|turned|now) (?:\\w+ )?(?:red|full|slow|low|empty|lost|not ok)',
  'new (?:alert|incident|problem|issue(?! (?:opened|created|assigned))|error|exception|finding|vulnerability)',
  '(?:alert|alarm|incident|problem|outage|anomaly|failure|degradation|breach|intrusion|leak|conflict|drift|issue)(?: [#\\w-]{1,30}){0,2} (?:re-?)?(?:opened(?! by)|raised|declared|detected|started|suspected|confirmed|reported)',
  '(?:detected|found|observed|noticed|seeing) (?:an? |new |\\d+ )?(?:\\w+ )?(?:anomal\\w+|problems?|errors?|failures?|issues?|intrusions?|malware|vulnerabilit\\w+|leaks?|threats?|spikes?|drift)',
  'problem|oom(?:killed)?|out of (?:memory|disk|space|range|bounds|stock|tolerance|date|control)|ran out|run(?:s|ning)? (?:out|low|hot|late|dry)|low on|short of|filling up|fills up|used up',
  '(?:returned|returns|returning|responded with|responds with|responding with|answered|answers|(?:http|status)(?: code| is)?:?|got|gets|getting|fails|failed) (?:with )?(?:an? )?(?:http )?(?:error |status )?(?:code )?[45]\\d\\d',
  'violat(?:ed|es|ing|ion)|breach(?:ed|es)?(?! of)|cross(?:ed|es) (?:\\w+ )?(?:threshold|limits?|[\\d.,]+)|spike|spikes|spiked|surge[ds]?|anomaly|anomalous|abnormal(?:ly)?|unusual(?:ly)?|suspicious|unexpected(?:ly)?|unauthori[sz]ed',
  'no (?:heartbeats?|check-?ins?|signal|response|answer|reply|ping|data|samples|metrics|updates?|leader|quorum|primary|master|events|messages|records|files?|progress|connection|route|backups?|replicas|logs|consumers?|subscribers?|workers?|targets?|endpoints?|listeners?|capacity|space left|free \\w+)(?! loss)',
  '(?:heartbeat|signal|contact|connection|connectivity|lease|quorum|leadership|session|link|power|communication) (?:[\\w.-]+ ){0,3}(?:lost|refused|reset|dropped|failed|interrupted|broken|expired|terminated|closed unexpectedly)|lost (?:its |the )?(?:contact|connection|heartbeat|quorum|leader|link|signal|communication|power|connectivity)|connection refused|connection reset',
  'too (?:high|low|slow|warm|hot|cold|many|few|much|long|large|big|small|full|old|fast|late|often|humid|dry|wet|far|short|little)|(?:almost|nearly|completely|critically) (?:full|exhausted|empty|out|low|depleted)|(?:dangerously|extremely|critically|abnormally|unusually|very) (?:high|low|slow|large|long)',
  '(?:is|are|keeps|kept|still|has been|rapidly|steadily|continuously) (?:growing|rising|climbing|increasing|piling up|building up|accumulating|dropping|falling|decreasing|shrinking|degrading|burning|dying|rejecting|losing|dropping|refusing|restarting|looping|backing up)|piling up|building up|backing up',
  '(?:fall(?:en|s|ing)?|fell|is|are|lags?|lagging|running|runs|far|further|trails?|trailing) (?:\\w+ ){0,2}behind|behind schedule|(?:is|are|has been) (?:stopped|disabled|suspended|interrupted|impaired|compromised|rejected|denied|lost|dropped|restarted|not \\w+)|stopped unexpectedly|restarts|restarted(?: (?:\\d+ times|unexpectedly))|(?:has|have) stopped|disappeared|vanished',
  'lost (?:its|the|all|both|every|half|most)(?! (?:and found))|broke(?! even)|won.t (?:start|boot|come up|respond|connect|mount|sync|load)|give[ns]? up|giving up|gave up|bails? out|dropping out|e(?:notfound|conn(?:refused|reset|aborted)|timedout|hostunreach|pipe|addrinuse|mfile|nospc|ai_again)|unhandledpromiserejection|(?:went|goes|gone|going) (?:dark|silent|quiet|missing)|errored|off (?:a|the) cliff|through the (?:floor|roof)|(?:blow|blows|blew|blowing) up|\\d+ ?% (?:below|under|above|over|less than|more than|lower than|higher than) (?:what|last|the (?:same|usual|normal|average)|usual|normal|average|baseline|expected|yesterday)|burning|burn ?rate|overspen[dt]|over budget|(?:could|can|did|does|do|was|were|has|have|had|is|are)(?: ?n.t| not)(?! \\w+ed issues)|cannot|can.t|unable to|refuses to|impossible to',
  '(?:elevated|high|higher|increased|excessive|heavy|low|slow|poor|reduced|insufficient) (?:\\w+ ){0,2}(?:latency|error rates?|errors|cpu|memory|load|usage|utili[sz]ation|lag|traffic|temperature|response times?|responses|disk|queue|failure rate|throughput|availability|battery|pressure|packet loss|jitter|rates?|wait|swap|connections|retries|queries|space|stock|volume|pool)|(?:warning|alarm|alert|error|fault|failure) (?:on|in|at)|out of (?:service|order|action)|open (?:for|since)|err-?disabled|sealed|publicly (?:readable|accessible|writable|exposed)|growing|rising|climbing|shrinking|jumped|leapt|shot up|locked(?: out)?|quarantined|tainted|revoked|orphaned|thrashing|swapping|ajar|unbalanced|skewed|isolated|partitioned|fenced|degrading|unsafe|insecure|vulnerable|deviat(?:es|ing|ed)|dying|dies|died|drained unexpectedly|overrun|underrun|underflow|defective|faulty|fault(?:ed)?|damaged|invalid|untrusted|mismatched|incomplete|truncated|paused unexpectedly|sluggish|hijacked|defaced|spam(?:ming)?|scanning|probing|leaks|long.running|abend\\w*|\\d+(?:\\.\\d+)?[x×] (?:higher|lower|slower|more|longer|above|as \\w+)|(?:higher|lower|slower|longer|more|less|fewer|worse) than (?:usual|normal|expected|before|average|baseline|allowed|yesterday)|no (?:\\w+ ){1,3}(?:since|for (?:the (?:last|past) )?\\d+|in (?:the (?:last|past) )?\\d+|received|reported|detected for)|(?:still )?not (?:yet )?\\w+ed (?:for|since|in) \\d+|dead.letter(?:s|ed)?|empty|depleted|mismatch\\w*|at risk|in danger|does not exist|collaps(?:ed|es|ing)|plung(?:ed|es|ing)|plummet(?:ed|s|ing)|tanked|soar(?:ed|ing)|skyrocket\\w*|bouncing|gone (?:silent|quiet|dark|missing)|silent|servfail|nxdomain|on (?:battery|backup power|generator|ups|emergency power)|attack(?:s|ed)?(?: in progress| detected| ongoing)?|will (?:be |run |fill |become )?(?:full|out|up|exhausted)|only \\d+|used \\d+(?:\\.\\d+)? ?%|\\d{3,4}(?:\\.\\d+)? ?% of|exposed|leaked|stolen|rejects|refuses|bottleneck|contention|starvation|desynced|diverg(?:ed|es|ing)|misbehav\\w+|malfunction\\w*|tripped|jammed|overflow\\w*|backlogged|clogged|hijack\\w*|under attack|phishing|fraud(?:ulent)?|trouble|struggling|suffering|wrong|bad gateway|gateway timeout|internal server error|service unavailable|panicked|segfault\\w*|core dumped|kernel panic|throws|throwing|rolled back automatically|leak detected|brute.?force|malware|ransomware|intrusion|(?:will )?expires? (?:in|on|soon|today|tomorrow)|about to expire|is expiring|due to expire|split.?brain|packet loss|flapped|degradation|blackout|brownout|overcurrent|overheat|overload|smoke|flood(?:ing)?|water leak|tamper',
);

/** Work that went as it should. */
export const DONE =
  'deployed|released|completed|successful(?:ly)?|succeeded|success|passed|finished|finishes|started|starts|rolled out|promoted|published|now running|deploy(?:ment)? marker';

/** Words that mean a problem only together with a marker, a color, a severity or a limit. */
export const WEAK = words(
  'alert|alarm|critical|errors?|exceptions?|incident|exceed(?:s|ed)|above|below|threshold|limit|anomal\\w+|timeouts?|warning|exhaust\\w+|deviat\\w+',
  'lag|lags|slow|leak|refused|denied|rejected|expir\\w+|full|overload\\w*|latency|failures?|restarts?|high|low|elevated|increased?|increasing|reduced|retries|errors?/\\w+|drop(?:ped|s)?|fell|lost|rate|usage|utili[sz]ation|backlog|skipped|skew|drift\\w*|behind|long.running|pending|vulnerab\\w+|attempts?|mismatch|duplicates?|deadlocks?|quota|budget|sla|slo|temperature|humidity|voltage|battery|depth|memory|cpu|disk|heap|load|loss|jitter|wait(?:ing|s)?|retry|retrying|stopped|violations?|unknown|insufficient|invalid|stopped|suspended|panic|fatal|5xx|4xx|imbalance',
);

/** Nouns for an ongoing problem; its end may follow them. */
export const INCIDENT = /^\W*(?:alert|alarm|problem|incident|issue|failure|error|outage|anomaly)\b/iu;

/** What should happen but does not: `is not responding`, `hasn't checked in`, `stopped reporting`. */
export const NOT_GOOD = words(
  `(?:not|[a-z]{2,6}n.t|never|no longer|cannot|can.t|can not|unable to|failed to|fails to|failing to|refuses to|stopped|stops|ceased|without|no (?:recent |valid )?) ?(?:been |be |yet |fully |to |properly |completely |being |longer )?(?:${GOOD})`,
);
/** What no longer goes wrong. */
export const NO_LONGER_BAD = words(
  `(?:no longer|stopped|not|[a-z]{2,6}n.t|ceased(?: to be)?|never) (?:being |been |be |any ?more )?(?:${BAD}|firing|alerting|above|below|over|exceeding|exceeds?|exceeded|breach\\w*|full|slow|high|behind|active|failing|restarting|growing|burning)`,
);
/** Phrases that mean the absence of a problem: `no errors`, `0 failures`. */
export const NOTHING =
  /\b(?:0|no|zero|without|any) (?:new |more |open |active |known |further )?(?:errors?|fail\w+|problems?|alerts?|issues?|incidents?|outages?|crashes|alarms?)\b/giu;
/** The past state before the current one. */
export const PAST = words(
  `(?:was|were|had been|has been|been|after(?: being| having been| an?| the)?(?: \\d+)?|following(?: an?| the)?|from(?: an?)?|previously|earlier|since the|during the|since) (?:\\w+ )?(?:${BAD}|failed|failure|failures|outage|crash|firing|full|slow|growing|restarted|errors?|interruption)|outage lasted`,
);

/** Phrases that mean a problem is over. */
export const RECOVERED = words(
  'resolved|recovered|recovers|has recovery|cleared|clears|all clear|mitigated|remediated|stabili[sz]ed|normali[sz]ed|drained|subsided|healed|rejoined|reconnected|re-?established|restored|restoration complete|repaired|replaced|refilled|replenished|recharged|is established|solved|fixed|remedied|reconciled|self-?healed|alleviated|quiet again',
  'back (?:to (?:normal|healthy|green|ok|full|baseline|operation\\w*|service|nominal|work|expected|its|the|\\d)|online|on(?: ?line)?|up|in (?:service|range|sync|bounds|stock|limits|tolerance|operation|rotation)|below|above|under|over|within|inside|at|down to|again|and \\w+)|(?:is|are|was|now) back|(?:came|come|comes|coming|brought|bounced|went) back(?! down)|caught up|catching up completed',
  '(?!(?:down|failing|failed|firing|broken|crashed|crashing|degraded|offline|unhealthy|unreachable|unavailable|restarting|restarted|triggered|stuck|missed|slow|late|lost|dropped|high|above|over|happened|occurred|happening|retrying|try|once|stalled|fails|dead)\\b)[a-z-]{2,20} (?:once )?again',
  '(?:is|are|now|status|state|came|comes|turned|became|went|all|everything|looks|looking)(?: now| back| looking)?(?: to)?:? (?:up(?! (?:by |to )?\\d| \\d)|ok|okay|healthy|green|online|normal|stable|fresh|reachable|available|responding|operational|optimal|passing|nominal|in sync|synced|in range|good|well|fine|clear|quiet|caught up|on time|inactive|complete again|serving|replicating)',
  '(?:(?=\\S*[a-z])\\S*[\\d_-]\\S*|[a-z\\d]+:) (?:online|healthy|optimal|reachable|up|available|ok|operational|connected|responsive|stable|normal|nominal|fresh)(?=$|[\\s,;:.(])',
  '[a-z-]{2,30} (?:ok|okay|over|is over)(?=\\s*(?:[:!.,(–—]|$))|(?:slo|health|service|all|system|cluster|node|job|check)s? (?:healthy|up|ok|green|normal|on time)|on time again|on mains(?: power)?|power is back|(?:enough|plenty of|sufficient) (?:room|space|memory|capacity)|up to date again',
  'no (?:\\w+ ){1,4}any ?more|ended normally|has (?:an? )?(?:leader|primary|master|quorum|route)|(?:memory|cpu|disk|latency|load|usage|level|traffic|temperature|queue|levels) (?:is |are )?(?:fine|ok|okay|normal|good|stable|healthy)',
  '(?:running|working|operating|flowing|behaving|performing|functioning|ticking) (?:normally|fine|smoothly|well|as expected|properly)|is private|unsealed|unlocked|has (?:now )?(?:received|arrived|finished|caught)|(?:is|are|now) (?:flowing|moving|valid|balanced|intact|complete|trusted|clean|dry|closed|free)|(?<!of |than |not )(?:normal|ok|okay|fine|healthy|good|stable)$',
  '(?:attack|mitigation|flood|scan|intrusion|storm)\\b.{0,60}\\b(?:ended|stopped|ceased|is over)',
  'returned to|returns to (?:normal|service|baseline)|back within|within (?:the |its |our |their )?(?:monthly |daily |normal |expected |agreed |hourly )?(?:limits?|range|threshold|bounds|target|slo|sla|budget|tolerance|normal)|(?:below|under) (?:the |its )?(?:limit|maximum|quota|cap)|no (?:further|more) (?:errors|failures|problems|timeouts|alerts|issues)',
  '(?:alert|alarm|incident|problem|outage|anomaly|failure|degradation|interruption|event|episode|spike|attack|storm|surge|drought|spell|condition)(?: [#\\w-]{1,60}){0,8} (?:closed(?! by)|ended|is over|over|has passed|gone|subsided|finished|ceased)|issue\\b.{0,60}\\bclosed(?! by \\w)',
  '(?:connection|service|access|link|session|power|sync|connectivity|contact|heartbeat|signal|replication|communication|quorum|data|traffic|leader|primary|lease|delivery|input|feed)\\b.{0,60} (?:restored|resumed|re-?established|received|elected|present|returned|reappeared|regained|found)|resumed|(?:came|is|are|back) (?:up|online|alive)|reappeared|regained|(?:renewed|replaced) (?:and|until|successfully)',
  'succeed(?:ed|s) again|succeeded on (?:retry|attempt)|(?:succeeded|passed|completed|ran|finished|responding|working|running|reporting|syncing|connected|reachable|healthy|available|online|up) (?:again|since|as usual|as expected again)|first success after|(?:probe|health ?check|synthetic|heartbeat|journey)s? (?:\\S+ )?(?:is )?(?:passed|passing|succeeded|ok)',
  '(?:changed|moved|transitioned|went|switched)(?: state)?(?: from \\w{2,20})? to (?:ok|up|healthy|normal|green|good|online|operational|inactive)',
);

/** Words for a healthy state, whether or not it was unhealthy before. */
export const HEALTHY = words(
  'in service|closed|working|answers|answering|responds|responding|reachable|passing|synced|in sync|connected|(?:is|are) current|up to date|fresh|optimal|online|available|healthy|stable|normal|sufficient|operational|replicating|quiet|nominal|succeeded',
);

/** Phrases that only sound like a recovery: it is expected, or no longer true. */
export const NOT_RECOVERED_YET = words(
  '(?:will be|to be|should be|should|until|once|when|if|unless|expected to be|before|being|could be|can be|may be|must be|please|auto-?|previously|last|working on|waiting to be|was last) (?:\\w+ ){0,2}(?:resolved|recovered|recovers?|restored|fixed|cleared|closed|back|solved|mitigated|normal|healthy|reconnected|resumed|replaced|cleaned|repaired|renewed|cleared)',
);

/** A recovery before the problem came back: `firing, was resolved 5 min ago`. */
export const PREVIOUSLY_RECOVERED = words(
  '(?:was|were|after being|had been) (?:last )?(?:resolved|recovered|fixed|closed|cleared|ok|up|healthy|green)',
);

export const FIRING_AGAIN = words(
  '(?:down|failing|firing|broken|crashed|crashing|degraded|offline|unhealthy|unreachable|unavailable|triggered|failed) (?:once )?again|re-?opened|re-?occurred|re-?triggered|regressed|re-?fired|relapsed',
);

/** Words that mean firing, alone between brackets or bars or before a colon. */
export const FIRING_MARKERS = setOf(
  'авария сбой ошибка недоступен недоступна недоступно упал упала упало критично תקלה נפל נפלה כשל שגיאה 触发 觸發',
  '故障发生 caiu parado indisponível 장애발생 firing fired triggered re-triggered retriggered alerting alarming alarmed',
  'down outage failed failing failure errored missing fatal panic breach breached breaching degraded offline',
  'unhealthy unreachable unavailable no_data nodata activated raised detected fire burning red exception crashed',
  'crash missed late overdue expired anomaly violation violated timeout stalled abnormal disaster unstable',
  'problem_start started_problem awaria błąd sorun hata ausgefallen ausfall fehler kritisch warnung panne',
  'critique échec indisponible erreur avertissement caída caído crítico crítica error fallo falha inativo queda',
  'guasto critico errore storing fout kritiek 障害 障害発生 異常 エラー 緊急 发生 故障 异常 경고 장애',
);
/** Words that announce an alert without its state. */
export const ANNOUNCEMENT_MARKERS = setOf(
  'проблема тревога внимание оповещение בעיה התראה אזהרה 问题 問題 警报 警報 problema problème',
  'alert alarm problem incident emergency event_alert alerte alerta allarme störung 警告 アラート 告警',
);
/** The same for words with other meanings as well. */
export const WEAK_FIRING_MARKERS = setOf(
  'open opened new active error urgent created started attention begin opening investigating ongoing bad err ko fail not_ok nok on set trouble issue',
);
/** Severities; they mean firing if nothing says otherwise. */
export const SEVERITY_MARKERS = setOf(
  'critical crit warning warn wrn high severe major minor medium moderate p0 p1 p2 p3 p4 p5 sev0 sev1 sev2 sev3 sev4 sev5 s1 s2 s3 amber yellow orange elevated important serious emerg',
);
export const RESOLVED_MARKERS = setOf(
  'решено решена решён решен восстановлено восстановлен восстановлена устранено устранена устранён восстановление',
  'вирішено відновлено נפתר נפתרה טופל תוקן תוקנה 已解决 已解決 已恢復 恢復 解决 normalizado normalizada solucionada',
  'recuperação 해소 정상 resolved recovered recovery recover cleared clear normal restored healthy ended all_clear',
  'solved inactive deactivated back_to_normal back_online back_up fixed reset_ok operational mitigated',
  'end_of_alert problem_end rozwiązano rozwiązany rozwiązana przywrócono çözüldü düzeldi behoben gelöst',
  'entwarnung erholt wiederhergestellt normalisiert beendet résolu résolue rétabli rétablie terminé terminée',
  'resuelto resuelta recuperado recuperada solucionado restablecido resolvido resolvida risolto ripristinato',
  'opgelost hersteld 復旧 解消 回復 復旧しました 恢复 已恢复 解除 복구 해제',
);
export const WEAK_RESOLVED_MARKERS = setOf(
  'ok okay up closed good green online closing ended end passed pass cleared off back done reset',
);
/** Words that mark mere information. */
export const INFO_MARKERS = setOf(
  'info inf information informational notice fyi debug trace heads-up announcement news update note success succeeded successful reminder tip',
);

/** Other label names for an alert's fields, as `normalizedName` writes them. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    environment:
      'stage|environ|cluster env|deploy env|deployment env|env name|tier|landscape|umgebung|environnement|entorno|ambiente|omgeving|環境|环境|окружение|среда|סביבה|ambiente de execução|环境名称',
    service:
      'component|svc|microservice|app name|application name|affected application|affected component|impacted service|impacted component|service affected|services|system|affected system|affected services|product|service/component|dienst|anwendung|application concernée|servicio|aplicación|serviço|servizio|サービス|服务|workload|сервис|служба|приложение|система|שירות|应用|服務|应用名称|服务名称',
    host: 'machine|machine name|node name|vm|vm name|target host|affected host|source host|computer|fqdn|affected node|host/ip|device name|rechner|serveur|hôte|machine hôte|servidor|equipo|anfitrión|ホスト|ホスト名|サーバー|サーバ|主机|entity|entity name|host name|узел сети|узел|хост|сервер|имя узла|שרת|מארח|监控对象|告警对象|对象|主机名|主機|服务器|實例|实例|nome do host',
    region:
      'zone|location|datacenter|data center|datacentre|data centre|dc|availability zone|az|site|region/zone|geo|standort|région|región|região|localisation|ubicación|リージョン|地域|регион|אזור|地区|區域|区域|região aws',
    version:
      'build|tag|image tag|release version|deployed version|running version|app version|firmware|software version|バージョン',
    severity:
      'prio|sev|impact|importance|criticality|risk|risk level|alert level|urgency level|severity level|alert priority|priority level|grade|schweregrad|schwere|dringlichkeit|priorität|priorité|gravité|sévérité|niveau|criticité|prioridad|severidad|gravedad|nivel|prioridade|severidade|gravità|重要度|深刻度|優先度|важность|критичность|приоритет|уровень|серьезность|серьёзность|важливість|חומרה|עדיפות|级别|級別|告警级别|级别状态|严重程度|嚴重性|重要性|优先级|等级|심각도|중요도|grau de severidade',
    'trace id': 'trace|traceid|correlation id',
    time: 'occurred at|detected at|fired at|first seen|opened at|created at|event timestamp|happened at|began|began at|onset|zeit|zeitpunkt|uhrzeit|heure|depuis|début|hora|fecha|desde|inicio|発生時刻|発生日時|日時|时间|when|started on|start|datum|problem started|failing since|down since|alert time|trigger time|time of event|opened|detected|время события|время|начало|начало проблемы|דיווח|זמן|触发时间|首次触发时间|告警时间|發生時間|发生时间|início|início do problema|problema iniciado em|horário|data/hora',
    'error message':
      'failure reason|failure|cause|error text|last error|exception message|fehler|fehlermeldung|erreur|motivo|mensaje|detail|details|output|stderr|エラー|причина|описание ошибки|ошибка|סיבה|原因|错误信息|告警内容|mensagem|causa',
    'alert name':
      'rule title|nome do problema|nome do alerta|problem name|nombre del problema|nom du problème|имя проблемы|название проблемы|правило|שם הבעיה|שם ההתראה|规则标题|规则名称|告警名称|告警标题|告警主题|報警名稱|告警名稱|規則名稱|알림명|경보명|アラート名',
    'error type': 'error code|exception class|exception name|error name|fault|error kind|failure type',
  }).flatMap(([name, others]) => others.split('|').map((other): [string, string] => [other, name])),
);

/** The fields in which tools state a state, as `normalizedName` writes them. */
export const STATE_NAMES =
  /^(?:(?!(?:old|previous|prior|former|last|from|initial|desired|expected)\b)(?:[a-z]+ ){0,2}(?:state|status|health|result|outcome|condition|verdict|phase|transition)|state change|(?:event|alert|alarm|notification|action|message|incident) (?:type|action)|event|action|type|zustand|статус|состояние|стан|סטטוס|מצב|级别状态|告警状态|當前狀態|当前状态|상태|situação|statut|état|etat|estado|stato|状態|状态|ステータス)$/u;
/** Fields that may hold other things than a state. */
export const LOOSE_NAMES = /\btype$|^(?:event|action|phase)\b/u;

export const OVER_VALUE =
  /^(?:ok|okay|up|passing|resolved|recovered|recovery|recover|closed?|normal|healthy|cleared|clear|inactive|fixed|back\b.{0,20}|good|green|ended|online|restored|solved|operational|stable|available|optimal|reachable|within\b.{0,20}|in range|in sync|fresh|responding|nominal|deactivated|mitigated|remediated|alert resolved|behoben|normalisiert|résolu|rétabli|resuelto|recuperado|resolvido|risolto|正常|復旧|恢复|恢復|已恢复|已恢復|已解决|已解決|回復|解消|решен[оа]?|восстановлен[оа]?|ок|норма|закрыт[оа]?|נפתרה?|תקינה?|복구|해소|정상|s[1-5] recovered)(?![\w-])/u;
export const ON_VALUE =
  /^(?:in alarm|alarm|firing|alerting|fired|triggered|re-?triggered|critical|crit|warning|warn|down|problem|activated|active|ongoing|escalating|regressed|error|failed|failing|failure|fail|unreachable|unknown|degraded|unhealthy|major|minor|partial outage|major outage|outage|no data|breach\w*|offline|overdue|late|missed|missing|stale|exceeded|bad|red|yellow|amber|crashed|stalled|stuck|timed? ?out|timeout|unavailable|not (?:ok|healthy|responding|ready|running)|alert|raised|violated|exhausted|abnormal|anomalous|anomaly|lost|disconnected|unresponsive|crashloopbackoff|oomkilled|out of .{2,20}|above\b.{0,20}|below\b.{0,20}|gestört|ausgefallen|kritisch|fehler|en panne|critique|erreur|caído|crítico|error|異常|障害|停止|告警|故障|触发|觸發|异常|проблема|авария|сбой|недоступ\p{L}{2,3}|ошибка|בעיה|תקלה|장애|s[1-5] triggered)(?![\w-])/u;
/** Firing, if nothing else in the message says otherwise. */
export const SOFT_ON_VALUE =
  /^(?:new|open|opened|created|started|re-?opened|detected|confirmed|unresolved|pending review|needs review|attention|yes|true|unassigned|investigating)(?![\w-])/u;
export const NOTED_VALUE =
  /^(?:ack|acknowledged|acked|snoozed|silenced|muted|in progress|merged|downtime|suppressed|in maintenance|maintenance)(?![\w-])/u;
export const NONE_VALUE =
  /^(?:insufficient[ _]data|queued|success|successful|succeeded|passed|pass|completed?|done|running|synced|to ?do|backlog|draft|merged|won|lost deal|approved|in review|scheduled|planned|cancell?ed|deployed|paid|shipped|published)(?![\w-])/u;

/** Fields that hardly anything but an alert has. */
export const ALERT_FIELDS =
  /^(?:threshold|limit|current(?: value)?|value|observed(?: value)?|actual(?: value)?|measured|last value|runbook|playbook|severity|priority|urgency|criticality|risk|monitor|check|check name|alert rule|rule|alarm|alarm name|alert|alert name|trigger|triggered at|triggered|fired at|metric|condition|host|hostname|node|instance|machine|device|sensor|first seen|last seen|down since|since|started at|detected at|duration|affected.{0,20}|impacted.{0,20}|probe|error|error message|root cause|on call|escalation.{0,20}|slo|burn rate|last success\w*|last check-?in|lag)$/u;
export const ALERT_BUTTONS =
  /\b(?:acknowledge|ack|silence|snooze|mute|runbook|playbook|escalate|resolve|investigate|view (?:alert|incident|monitor|alarm|problem)|open (?:alert|incident|alarm|problem|monitor)|declare)\b/iu;

import { words } from './expression.ts';

/** Phrases that mean a problem is over. */
export const RECOVERED = words(
  'resolved|recovered|recovers|has recovery|cleared|clears|all clear|mitigated|remediated|stabili[sz]ed|normali[sz]ed|drained|subsided|healed|rejoined|reconnected|re-?established|restored|restoration complete|repaired|replaced|refilled|replenished|recharged|is established|solved|fixed|remedied|reconciled|self-?healed|alleviated|quiet again',
  'back (?:to (?:normal|healthy|green|ok|full|baseline|operation\\w*|service|nominal|work|expected|its|the|\\d)|online|on(?: ?line)?|up|in (?:service|range|sync|bounds|stock|limits|tolerance|operation|rotation)|below|above|under|over|within|inside|at|down to|again|and \\w+)|(?:is|are|was|now) back|(?:came|come|comes|coming|brought|bounced|went) back(?! down)|caught up|catching up completed',
  '(?!(?:down|failing|failed|firing|broken|crashed|crashing|degraded|offline|unhealthy|unreachable|unavailable|restarting|restarted|triggered|stuck|missed|slow|late|lost|dropped|high|above|over|happened|occurred|happening|retrying|try|once|stalled|fails|dead)\\b)[a-z-]{2,20} (?:once )?again',
  '(?:is|are|now|status|state|came|comes|turned|became|went|all|everything|looks|looking)(?: now| back| looking)?(?: to)?:? (?:up(?! (?:by |to )?\\d| \\d)|ok|okay|healthy|green|online|normal|stable|fresh|reachable|available|responding|operational|optimal|passing|nominal|in sync|synced|in range|good|well|fine|clear|quiet|caught up|on time|inactive|complete again|serving|replicating)',
  '(?:(?=\\S*[a-z])\\S*[\\d_-]\\S*|[a-z\\d]+:) (?:online|healthy|optimal|reachable|up|available|ok|operational|connected|responsive|stable|normal|nominal|fresh)(?=$|[\\s,;:.(])',
  '[a-z-]{2,30} (?:ok|okay|over|is over)(?=\\s*(?:[:!.,(–—]|$))|(?:slo|health|service|all|system|cluster|node|job|check)s? (?:healthy|up|ok|green|normal|on time)|on time again|on mains(?: power)?|power is back|(?:enough|plenty of|sufficient) (?:room|space|memory|capacity)|up to date again',
  'no (?:\\w+ ){1,4}any ?more|ended normally|has (?:an? )?(?:leader|primary|master|quorum|route)|(?:memory|cpu|disk|latency|load|usage|level|traffic|temperature|queue|levels) (?:is |are )?(?:fine|ok|okay|normal|good|stable|healthy)',
  '(?:running|working|operating|flowing|behaving|performing|functioning|ticking) (?:normally|fine|smoothly|well|as expected|properly)|is private|unsealed|unlocked|health_ok|has (?:now )?(?:received|arrived|finished|caught)|(?:is|are|now) (?:flowing|moving|valid|balanced|intact|complete|trusted|clean|dry|closed|free)|(?<!of |than |not )(?:normal|ok|okay|fine|healthy|good|stable)$',
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
  '(?:will be|to be|should be|should|until|once|when|if|unless|expected to be|before|being|could be|can be|may be|must be|please|auto-?|previously|last|working on|waiting to be|was last) (?:\\w+ ){0,2}(?:resolved|recovered|recovers?|restored|fixed|cleared|closed|back|solved|mitigated|normal|healthy|reconnected|resumed)',
);

/** A recovery before the problem came back: `firing, was resolved 5 min ago`. */
export const PREVIOUSLY_RECOVERED = words(
  '(?:was|were|after being|had been) (?:last )?(?:resolved|recovered|fixed|closed|cleared|ok|up|healthy|green)',
);

export const FIRING_AGAIN = words(
  '(?:down|failing|firing|broken|crashed|crashing|degraded|offline|unhealthy|unreachable|unavailable|triggered|failed) (?:once )?again|re-?opened|re-?occurred|re-?triggered|regressed|re-?fired|relapsed',
);

import { setOf } from './expression.ts';

/** Words that say how a thing is, or that bind others: none of them tells which thing it is. */
export const NOT_NAMES = setOf(
  // States of a problem, and of its end.
  'firing fired fires triggered triggers retriggered re-triggered alerting activated active inactive ongoing regressed escalating down up unreachable reachable unavailable available unhealthy healthy',
  'degraded degradation offline online unresponsive responsive exhausted stuck stalled failing fail fails failed failure failures crashed crashing crash crashes crashloop crashloopbackoff looping flapping hung hanging frozen broken overdue stale fresh outdated expired',
  'expire expires expiring expiry corrupt corrupted inconsistent consistent disconnected connected reconnected unplugged saturated overloaded overheating overheated throttled throttling evicted unstable stable inaccessible',
  'accessible critical crit dead alive halted erroring resolved resolves recovered recovers recovery recovering cleared clears clear mitigated remediated stabilized normalized drained subsided healed rejoined restored restores',
  'repaired solved fixed ok okay closed closing close opened open reopened re-opened reopen new declared raised detected started start starts ended ends end over finished finish succeeded succeeds success successful successfully passed passing passes',
  'complete completed completing done missed misses missing late delayed lagging spiking spike spikes surge blocked timed timeout timeouts times refused refuses reset dropped drops drop dropping lost loses regained exceeded exceeds exceeding breach breached breaches',
  'breaching violated violation crossed crosses above below under within beyond outside inside threshold limit limits quota target baseline minimum maximum max min normal abnormal abnormally unusual unusually usual unexpected unexpectedly expected anomaly anomalous',
  'optimal nominal operational synced unsynced growing grows grew rising rises rose climbing increasing increased decreasing decreased falling falls fell fallen behind caught catching caught-up piling building backing filling full fast slow slowly burning burns burnt nearly almost completely',
  'responded responding responds respond returned returns returning answered answering answers reporting reported reports received receiving receives running ran runs run working works ready renewed rotated renew replaced restarting restarts restarted restart',
  'killed oomkilled oom exited exit code terminated aborted elevated high higher low lower warm hot cold too very extremely dangerously many few much long large small big ago last next latest current currently now again back once still yet already',
  'state status changed change changes transition transitioned went gone goes go came come comes became is are was were be been being has have had having will would should could can cannot did does do not no none n nt isn hasn doesn didn longer never until',
  'critically severe severely severity priority urgent urgency warning warn warnings alert alerts alarm alarms problem problems incident incidents issue issues notification notifications event attention needs need info notice minor major moderate medium red green yellow amber orange',
  'good bad unknown acknowledged lasted lasting duration since for after before during from to at by in on of the a an and or with without its their our your it this that these there all any only than then as per vs versus about around approximately due because reason while when via out into',
  'seen checked check-in checkin heard stopped stops stop paused resumed resumes resume interrupted impaired disabled enabled suspended denied denies rejected rejecting rejects losing refusing backed sent sending delivered delivering consumed consuming consumes processing processed process moving progressing',
  'waiting oldest left remaining free used usage utilization utilisation value level rate count counts percent percentage average avg p50 p90 p95 p99 p999 mean median sum total ms sec secs second seconds minute minutes min mins hour hours day days week weeks times attempts attempt tries retries consecutive',
  'service services host hosts server hostname monitor monitored check checks checking test probe quite half more less most least first several also just got get gets getting keeps kept keep unable impossible try trying tried happened happening occurred re subject fwd fw well fine everything looks look looking seems',
  'page paging on-call automatic automatically auto today yesterday tomorrow soon am pm utc gmt cet cest est pst degrading stays stay stayed remains remain range sync bounds tolerance yes responsive reads read reading measured observed saw seeing see found find lacks lack exists exist behaves behaving quiet',
);

/** The same words, and such in other languages. */
export const NOT_NAMES_FOREIGN = setOf(
  'kritisch behoben gelöst wieder ist sind war nicht mehr erreichbar ausgefallen störung gestört fast voll überschritten unterschritten normal auf im in der die das des dem den von für seit ab läuft abgelaufen fehlgeschlagen fehler warnung entwarnung und zu über unter wiederhergestellt alarm meldung verfügbar online offline hat jetzt aktuell erholt normalisiert min std sek uhr tage tagen',
  'alerte critique résolu résolue rétabli rétablie est sont à nouveau de la le les du des un une depuis indisponible disponible injoignable joignable échoué échec panne en erreur dépassé dépasse revenu revenue normale retour sur dans pour et ligne hors seuil service attention terminé terminée au aux ne répond plus pas',
  'alerta crítico crítica resuelto resuelta recuperado recuperada restablecido restablecida está esta vuelve ha de el la los las del un una en desde caído caída no responde disponible fallo falló error nuevo por para con superado supera umbral normalidad y se al otra vez línea fuera servicio servidor',
  'resolvido resolvida problema recuperou voltou está do da no na ao indisponível falhou normal ripristinato risolto allarme guasto è non risponde opgelost hersteld weer bereikbaar niet is storing',
);

/** Nouns that need the number behind them to be a name. */
export const NUMBERED = setOf(
  'freezer rack line store unit zone room floor sensor pump door gate lane bay slot port node host server printer camera turbine station site shard partition replica worker drive channel cell probe truck vehicle machine robot elevator lift tank well vlan ring chiller boiler battery inverter panel meter terminal register pos kiosk atm gpu core psu fan building branch shop warehouse dc az hall compressor conveyor oven press reactor silo generator motor valve heater cooler fridge feeder transformer substation charger pipeline plant device relay circuit stage phase cluster pod region link uplink disk volume array controller bank cabinet ward bed cage string module well pool track platform switch gateway ap router booth desk filiale lager halle pumpe anlage linie werk kessel salle étage ligne pompe cuve sala línea bomba planta cámara tienda team queue fridge',
);

/** What a probe says of how it failed, or did not: nothing that it names. */
export const REASON =
  /\b(?:time(?:d )?-?out\w*|refused|connection (?:refused|reset|restored|re-?established|lost|timed|closed|ok|failed|error|resumed)|reset by peer|http(?:\/\d)? ?(?:code |status )?\d{3}|status (?:code )?\d{3}|[45]\d\d|dns|no route|unreachable|responded|responding|response time|econn\w+|etimedout|enotfound|expected|got \d|exit(?:ed)?(?: code)? \d|ssl handshake|handshake|name resolution|ping|packet loss|icmp|answered|within|lasted|downtime|ms\b)/iu;

/** Pairs and fields that differ from one message of an alert to the next, or that name nothing. */
export const OBJECT_FIELDS =
  /^(?:queue|topic|job|job name|task|cron|monitor|monitor name|check|check name|device|device name|sensor|interface|port|database|db|table|dataset|pipeline|dag|model|slo|sli|disk|volume|mount|mount ?point|mountpoint|path|filesystem|pool|cluster|cluster name|namespace|pod|container|deployment|workload|function|lambda|bucket|certificate|cert|common name|domain|site|url|endpoint|target|index|shard|partition|group|consumer group|consumer|tunnel|peer|neighbou?r|router|switch|rack|room|vm|component|resource|object|entity|store|user|account|project|tenant|customer id|subscription|vault|repository|repo|workflow|feed|stream|broker|gateway|link|circuit|camera|line|zone|unit|asset|meter|turbine|station|machine|vehicle|plant|building|app|api|route|probe|journey|scenario|flow|cache|schedule|backup|schema|replica|node|instance|server|host|service|application|rule|alarm|alert|alert name|metric|system|subsystem|module|process|daemon|batch|region|location|warehouse|branch office|equipment|location name|policy|set|area)$/u;
/** Of these an alert may be told in several: they are no part of what it is about. */
export const NOT_OBJECT_FIELDS = setOf('metric region location rule policy alarm alert link port');

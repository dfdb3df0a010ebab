const AWS =
  /^(?:us|eu|ap|sa|ca|me|af|il|mx|cn)-(?:gov-|iso-)?(?:north|south|east|west|central|northeast|northwest|southeast|southwest)-\d$/u;
const GOOGLE =
  /^(?:us|europe|asia|australia|northamerica|southamerica|me|africa)-(?:north|south|east|west|central|northeast|southeast|southwest)\d{1,2}$/u;
const AZURE =
  /^(?:(?:east|west|central|north|south|northcentral|southcentral|westcentral)us[23]?|(?:north|west)europe|uk(?:south|west)|(?:east|southeast)asia|(?:australia|japan|canada|france|germany|norway|switzerland|korea|brazil|sweden)(?:east|west|north|south|central|southeast|westcentral))$/u;

const HOST_WITH_PORT = /^(?=[\w.-]*[a-z\d])[\w.-]{1,253}:\d{2,5}$/iu;
const IP = /^(?:\d{1,3}\.){3}\d{1,3}$/u;
const FULL_NAME = /^(?:[a-z\d](?:[a-z\d-]{0,62})\.){2,8}[a-z]{2,20}$/iu;

/** Whether a word has the form of a cloud region (AWS, Google Cloud, Azure). */
export function isRegion(word: string): boolean {
  return AWS.test(word) || GOOGLE.test(word) || AZURE.test(word);
}

/** Whether a word without a label is a host: `db-1:9100`, an IPv4 address, a name with two or more dots. */
export function isHost(word: string): boolean {
  return HOST_WITH_PORT.test(word) || IP.test(word) || FULL_NAME.test(word);
}

/** The region in a URL: its `region=` parameter, or the first label of an AWS console's host. */
export function regionIn(url: string): string | null {
  const stated =
    /[?&#/]region=([a-z\d-]{4,30})/u.exec(url)?.[1] ??
    /^https:\/\/([a-z\d-]{4,30})\.console\.aws\./u.exec(url)?.[1];
  return stated !== undefined && isRegion(stated) ? stated : null;
}

const ADDRESS = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/u;
const DOMAIN = /^((?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}([a-z]{2,12}))(?::\d{1,5})?$/u;
/** Top-level domains that are not also common endings of files, classes or metrics. */
const ENDS = new Set(
  (
    'com net org io dev app co ai cloud example internal local localdomain lan intra intranet corp home test invalid arpa svc gov edu mil info biz ' +
    'shop store site online tech xyz gg tv eu de uk fr nl es pl ch at se no fi dk cz pt ie gr ro hu jp cn kr au nz ca us br mx ru ua il za sg hk tw in'
  ).split(' '),
);
/** A host after one of these is where traffic comes from, not where the problem is. */
const ELSEWHERE = new Set('from by source src client user via'.split(' '));

/** The first IP address or domain in a text, without its port; URLs do not count. */
export function hostIn(words: string): string | null {
  let before = '';
  for (const written of words.slice(0, 1_000).split(/[\s,;|"'`()[\]{}<>]+/u)) {
    const word = written.replace(/[.:!?]+$/u, '');
    const [, domain, end = ''] = DOMAIN.exec(word) ?? [];
    const found = ADDRESS.exec(word)?.[1] ?? (ENDS.has(end) ? domain : undefined);
    if (found !== undefined && found !== 'socket.io' && !ELSEWHERE.has(before)) return found;
    if (word !== '') before = word.toLowerCase();
  }
  return null;
}

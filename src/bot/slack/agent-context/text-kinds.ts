import { extname } from 'node:path';
import type { AskedFile } from '../../asking/question.ts';

/** Types of text that do not say so: data and code. */
const APPLICATION =
  /^application\/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)|x-(?:yaml|sh|shellscript|httpd-php|ndjson|sql|toml|perl|ruby|python)|(?:java|type|ecma)script|x-javascript|ndjson|jsonl|json-seq|sql|toml|graphql|x-log)$/u;

/** What Slack calls kinds of text, and how the names of such files end. */
const KINDS: ReadonlySet<string> = new Set(
  [
    'text txt log out err trace stacktrace markdown md rst adoc',
    'csv tsv json jsonl ndjson json5 yaml yml xml toml ini cfg conf config properties env hcl tf tfvars',
    'diff patch sql graphql proto html css sass scss less',
    'applescript c cpp csharp cs h hpp clojure coffeescript crystal cypher d dart dockerfile elixir elm erlang',
    'fsharp fortran go gradle groovy handlebars haskell haxe java javascript js jsx julia kotlin kt latex lisp lua',
    'makefile matlab mumps nginx objc ocaml pascal perl php pig powershell ps1 puppet python py r ruby rb rust rs',
    'sas scala scheme shell sh bash zsh smalltalk stylus swift typescript ts tsx vb vbscript velocity verilog vue',
  ].flatMap((line) => line.split(' ')),
);

/** Types that say nothing: then the name of the file does. */
const UNSAID = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** Whether Slack holds a file for text, by its type or kind; its bytes may still say otherwise. */
export function isTextKind({
  name,
  mimetype,
  filetype,
}: Pick<AskedFile, 'name' | 'mimetype' | 'filetype'>): boolean {
  const type = mimetype.toLowerCase().split(';')[0]?.trim() ?? '';
  // Rich text is text only to machines.
  if (type.startsWith('text/')) return type !== 'text/rtf';
  if (APPLICATION.test(type)) return true;
  if (!UNSAID.has(type)) return false;
  return KINDS.has(filetype.toLowerCase()) || KINDS.has(extname(name).slice(1).toLowerCase());
}

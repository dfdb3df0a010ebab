/** What a file is, as Slack finds out by looking at its name and its bytes. */
export interface FileKind {
  mimetype: string;
  /** Slack's short name: `png`, `json`, `markdown`, `text`. */
  filetype: string;
  /** For people: `PNG`, `JSON`, `Plain Text`. */
  pretty_type: string;
}

/** A file that the app has announced, sent or shared; its bytes are kept apart. */
export interface StoredFile {
  id: string;
  /** What the address to send the bytes to ends with. */
  ticket: string;
  name: string;
  title: string;
  /** What a picture shows, in words; empty if the app has said nothing. */
  alt: string;
  snippet_type: string;
  user: string;
  /** Seconds since the epoch. */
  created: number;
  /** Bytes, as announced. */
  size: number;
  /** Announced, bytes are there, taken into use, gone. */
  state: 'awaited' | 'uploaded' | 'complete' | 'deleted';
  /** When Slack knows the file's type, in milliseconds since the epoch; 0 before it is complete. */
  ready_at: number;
  kind: FileKind;
  /** Of a picture. */
  image: { width: number; height: number } | null;
  /** Of a text. */
  text: { preview: string; lines: number; lines_more: number } | null;
}

/** Whether Slack knows the file's type by now. */
export function isReady({ state, ready_at }: StoredFile, now: number): boolean {
  return state === 'complete' && now >= ready_at;
}

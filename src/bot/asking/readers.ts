/** Who reads what is said in a place. */
interface Readers {
  channel: string;
  /** If there is only one reader: what they may see elsewhere, they may see here too. */
  person: string | null;
}

/** Whether all of them may see what a channel said. */
export type MaySee = (readers: Readers, channel: string) => Promise<boolean>;

/**
 * Every limit of Slack's that our renderers can reach. Characters are UTF-16 units, which is never
 * less than what Slack counts.
 */
export const limits = {
  blocksPerMessage: 50,
  sectionText: 3000,
  sectionFields: 10,
  sectionField: 2000,
  headerText: 150,
  contextElements: 10,
  actionsElements: 25,
  buttonText: 75,
  buttonValue: 2000,
  markdownText: 12_000,
  /** Our limit for one `markdown` block; Slack translates it into further blocks and adds some. */
  markdownChunk: 11_400,
  /** Undocumented: near 13,200 counted characters Slack answers `msg_blocks_too_long`. */
  messageCost: 13_200,
  /** Seen to be counted on top of the text of each header, and so of each heading in a `markdown` block. */
  headerCost: 100,
  /** UTF-8 bytes: `chat.update` refuses a little above 4,000, and one installation was seen to count bytes. */
  textBytes: 3900,
  tableRows: 100,
  /** Characters of all cells of a table together, as others report. */
  tableText: 10_000,
  containerTitle: 150,
  containerBlocks: 10,
  planTasks: 50,
  /** Charts that Slack draws itself. */
  chartsPerMessage: 2,
  chartTitle: 50,
  chartSeries: 12,
  chartPoints: 20,
  /** The name of a series or a point. */
  chartLabel: 20,
  altText: 2000,
  blocksPerView: 100,
  /** Title, submit and close. */
  viewTitle: 24,
  viewMetadata: 3000,
  /** Slack answers `view_too_large` above 250 kB. */
  viewBytes: 240_000,
  inputText: 2000,
  inputValue: 3000,
  placeholder: 150,
  options: 100,
  /** Checkboxes or radio buttons. */
  choices: 10,
  optionText: 75,
  /** Of an option in a menu `⋯`; other options hold more. */
  optionValue: 75,
  fileTitle: 255,
} as const;

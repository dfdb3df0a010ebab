/**
 * Slack's limits, as documented or as its own type declarations state them. Lengths are characters
 * as sent, so `&amp;` counts five.
 */
export const LIMITS = {
  blocksPerMessage: 50,
  blocksPerView: 100,
  attachmentsPerMessage: 100,
  /** Undocumented; measured: more than this over all blocks is `msg_blocks_too_long`. */
  messageBlocksLength: 13_200,
  /** What a header counts besides its text towards `messageBlocksLength`; measured. */
  headerExtra: 100,
  /** A posted text is cut here. */
  postText: 40_000,
  /** An edited text of more bytes than this (in UTF-8) is `msg_too_long`. */
  updateText: 4_000,
  /** All `markdown` blocks of a message together. */
  markdown: 12_000,
  blockId: 255,
  actionId: 255,
  sectionText: 3_000,
  sectionFields: 10,
  sectionField: 2_000,
  header: 150,
  contextElements: 10,
  contextText: 3_000,
  actionsElements: 25,
  contextActionsElements: 5,
  buttonText: 75,
  buttonValue: 2_000,
  url: 3_000,
  accessibilityLabel: 75,
  imageUrl: 3_000,
  imageAlt: 2_000,
  imageTitle: 2_000,
  inputLabel: 2_000,
  inputHint: 2_000,
  inputText: 3_000,
  placeholder: 150,
  option: 75,
  options: 100,
  optionGroups: 100,
  choices: 10,
  overflowOptions: 5,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  tableRows: 100,
  tableCells: 20,
  /** Characters of all cells of a message's tables together; by others' account. */
  tableText: 10_000,
  dataTableRows: 101,
  dataTablePage: 100,
  /** A chart's title, and the titles of its axes. */
  chartTitle: 50,
  chartLabel: 20,
  /** Segments of a pie, or series of any other chart; by others' account. */
  chartSeries: 12,
  chartPoints: 20,
  chartsPerMessage: 2,
  cardTitle: 150,
  cardBody: 200,
  carouselCards: 10,
  containerTitle: 150,
  containerBlocks: 10,
  viewTitle: 24,
  viewCallbackId: 255,
  viewPrivateMetadata: 3_000,
  /** Bytes of a whole view. */
  view: 250_000,
  /** Modals that may lie on each other. */
  viewStack: 3,
  /** Milliseconds for the app to acknowledge a delivery, and for which a `trigger_id` opens a view. */
  ackTimeoutMs: 3_000,
  slackbotCall: 60_000,
  responseUses: 5,
  /** Milliseconds for which a `response_url` takes answers. */
  responseLife: 30 * 60_000,
  /** Characters of a file's title; by others' account. */
  fileTitle: 255,
  fileAlt: 1_000,
  /** Bytes of a snippet. */
  snippet: 1_000_000,
  /** Channels that one upload may go to. */
  fileChannels: 100,
  /** Of a task's or a plan's words in one chunk of a stream; by others' account. */
  taskText: 256,
  /** Milliseconds for which a stream takes more, however often it does; by others' account. */
  streamLife: 5 * 60_000,
  /** Milliseconds after which an agent's session that is `processing` falls back to `active`. */
  processingLife: 60 * 60_000,
  sessionTitle: 200,
  prompts: 4,
  socketConnections: 10,
  /** Posts to one channel: one a second, and this many at once. */
  postBurst: 5,
  /**
   * Calls a minute and method, by Slack's tiers; as many may come at once. `special` is that of posts,
   * "several hundred" over the whole workspace.
   */
  tiers: { 1: 1, 2: 20, 3: 50, 4: 100, special: 300 },
} as const;

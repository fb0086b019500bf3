// Texts of the dialog that takes over many records at once.
export const pasteTexts = {
  title: 'Paste records',
  text: 'One record a line, as in a zone file.',
  lines: 'Records',
  example: 'www 300 IN A 192.0.2.1',
  mode: 'What is there already',
  modes: {
    add: 'Keep it, and add these',
    sets: 'Replace it where host and type are the same',
  },
  preview: 'Show what changes',
  take: (sets: number) => (sets === 1 ? 'Change 1 entry' : `Change ${sets} entries`),
  back: 'Back to the records',
  same: 'Nothing changes: the records are so already.',
  unread: (line: number) => `Line ${line} is no record: write host, type and content.`,
  at: (line: number, problem: string) => `Line ${line}: ${problem}`,
} as const

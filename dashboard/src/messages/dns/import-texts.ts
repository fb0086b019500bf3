// Texts of the dialog that takes over many records at once, and of the file of all records.
import { recordTexts } from './record-texts.ts'

const { count } = recordTexts

export const importTexts = {
  title: 'Paste records',
  text: 'One record per line, or a whole zone file as another provider exports it.',
  lines: 'Records',
  example: 'www 300 IN A 192.0.2.1',
  mode: 'Records that are not among these',
  modes: { merge: 'Keep them', replace: 'Delete them' },
  empty: 'Paste at least one record.',
  preview: 'Show what changes',
  take: (sets: number) => `Change ${count(sets)}`,
  back: 'Back to the records',
  same: 'Nothing changes: the records already match.',
  leftOut: (lines: string) =>
    `Not imported, because this service makes them itself: ${lines}. Set name servers on the ` +
    'page of the domain.',
  leftOutOne: (line: number, type: string) => `line ${line} (${type})`,
  done: (sets: number) => `${count(sets)} changed`,
  save: 'Save as a file',
  saveOf: (domain: string) => `Save as a file: the DNS records of ${domain}`,
  notSaved: 'The file could not be made',
} as const

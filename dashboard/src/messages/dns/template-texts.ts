// Texts of the dialog that sets the records of a mail or site host.
import { recordTexts } from './record-texts.ts'

const { count } = recordTexts

export const templateTexts = {
  open: 'Use a template',
  title: 'Records of a mail or site host',
  template: 'Host',
  groups: { mail: 'Mail', site: 'Site' },
  example: (value: string) => `Such as ${value}`,
  read: (day: string) => `From its own pages, read on ${day}:`,
  beside: 'Left to do there',
  preview: 'Show what changes',
  back: 'Back to the templates',
  same: 'Nothing changes: the records already match.',
  against: 'These records are deleted',
  againstText: 'They would lead elsewhere, or conflict with the records of the template.',
  apply: (sets: number) => `Change ${count(sets)}`,
  replace: (sets: number) => `Replace, and change ${count(sets)}`,
  done: (title: string) => `The records of ${title} are set`,
} as const

// Texts of the dialog that finds the records of a domain at its present name servers.
import { recordTexts } from './record-texts.ts'

const { count } = recordTexts

export const scanTexts = {
  open: 'Find current records',
  title: 'Records at the current name servers',
  stepsLabel: 'Steps',
  steps: ['Find', 'Compare', 'Import'],
  current: 'current step',
  done: 'done',
  text:
    'We ask the current name servers of the domain for the usual names of websites and mail. ' +
    'This takes up to a minute and changes nothing.',
  start: 'Find the records',
  asking: 'The name servers are being asked. This takes up to a minute.',
  found: (sets: number) => (sets === 0 ? 'No records were found' : `${count(sets)} found`),
  incomplete: 'Not every question was answered, so records may be missing.',
  same: 'All of them are here already.',
  differs: 'What changes here',
  leftOut: 'Not imported',
  differences: 'The name servers do not agree',
  differencesText: 'The newest version is imported. Each of them answered:',
  noAnswer: 'nothing',
  notSeen: 'Keep in mind',
  again: 'Find again',
  take: (sets: number) => `Import ${count(sets)}`,
  taken: (sets: number) => `${count(sets)} imported`,
  takenText:
    'They are kept here, and served once the domain uses the name servers of this service. ' +
    'Before you change to these, compare the records with the list at your current provider.',
  nameservers: 'Go to the name servers',
  close: 'Close',
  early:
    'The records can be imported once the domain is here. Until then, save them as a file: ' +
    '“Paste records” reads it.',
  save: 'Save as a file',
  tooLong: 'There are too many records for this page. Use the command line or the API.',
  servers: {
    answers: 'answers',
    lame: 'does not serve the domain',
    silent: 'does not answer',
    not_public: 'has no public address',
    none: 'has no address',
  },
  whole: 'gave a copy of the whole zone',
} as const

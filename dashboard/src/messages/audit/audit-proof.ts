// Texts of the dialog that keeps a proof of the audit log.
export const auditProofTexts = {
  open: 'Keep a proof',
  title: 'Keep a proof of your log',
  text:
    'If you hold a signed copy of your log, a later change of it can be proven, even one by ' +
    'this service.',
  head: 'Signed head of the log',
  block: 'Block',
  hash: 'Hash',
  key: 'Key',
  saveHead: 'Save the head',
  export: 'Your log with its proofs',
  exportText:
    'The audit verifier, in the source code of this service, checks the file offline. Note the ' +
    'key above once, and name it each time.',
  saveExport: 'Save the log',
  command: 'Command that verifies the file',
}

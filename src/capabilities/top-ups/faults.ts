// Faults that the rails of top-ups have in common.
export { notConfigured } from '../../errors/faults.ts'

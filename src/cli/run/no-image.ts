/** The image of a script that runs with what this machine has. */
export const NO_IMAGE = 'none'

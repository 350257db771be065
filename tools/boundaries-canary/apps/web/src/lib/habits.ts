export enum Colour { Red } // biome: noEnum
export namespace Old { export const x = 1; } // biome: noNamespace
const later = async () => 1;
later(); // biome: noFloatingPromises
console.log(later); // biome: noConsole
export default later; // biome: noDefaultExport

// @ts-check
// The outlines of the things on a track, around 0 0.

/** Top edge of a plain field. */
export const PLAIN_TOP = -15;
/** Fields that are not plain discs: outline, lines on it, top edge, and position of its number. @type {Record<string, {path: string, rim: string, top: number, number: number}>} */
export const OUTLINES = {
  base: {
    path: "M-26 15 0-21 26 15ZM15 0 29-13 46 15H26Z",
    rim: "M-9 15 0 0 9 15M0-21V-30L9-26.5 0-23.5M31 15 34 4 38 15",
    top: -20,
    number: -6.5,
  },
  camp: {
    path: "M-26 15 0-21 26 15Z",
    rim: "M-9 15 0 0 9 15M0-21V-30L9-26.5 0-23.5",
    top: -20,
    number: -6.5,
  },
  cave: {
    path: "M-29 15C-31 3-24 1-22-8-18-20-7-22 0-21 9-23 19-18 22-7 25 1 31 4 29 15Z",
    rim: "M-15 15C-16-2-9-12 0-12S16-2 15 15",
    top: -21,
    number: 5,
  },
  summit: {
    path: "M-17 13-9-4-4 1 0-16 5-3 9-7 17 13Z",
    rim: "",
    top: -17,
    number: 5,
  },
};
export const FLAKE =
  "M0-24V24M-20.800-12 20.800 12M-20.800 12 20.800-12M-4.500-22 0-17.500 4.500-22M-4.500 22 0 17.500 4.500 22M-21.300-7.100-15.200-8.800-16.800-14.900M21.300 7.100 15.200 8.800 16.800 14.900M-21.300 7.100-15.200 8.800-16.800 14.900M21.300-7.100 15.200-8.800 16.800-14.900";
export const FLAG = "M-1-14V-52H1V-50L24-43.500 1-37V-14Z";
export const PENNANT = "M-1-10V-25H1V-24L11-20 1-16.500V-10Z";
export const ARROW = "M3.500 0-7-5.500-4.500 0-7 5.500Z";
export const YETI =
  "M-13 17C-14 12-13 9-12 6-16 8-19 4-17 0-15-5-12-8-9-9-9-16-5-20 0-20S9-16 9-9C12-8 15-5 17 0 19 4 16 8 12 6 13 9 14 12 13 17L9.500 14 6.500 17 3 14 0 17-3 14-6.500 17-9.500 14Z";
export const YETI_FACE =
  "M-5.500-12.500a1.600 1.800 0 1 1 3.200 0a1.600 1.800 0 1 1-3.200 0ZM2.300-12.500a1.600 1.800 0 1 1 3.200 0a1.600 1.800 0 1 1-3.200 0ZM-4-7.500H4L2.600-4.800H-2.600Z";
export const CLOUD = "M-6.500 2.500a3.400 3.400 0 0 1 .4-6.700 4.600 4.600 0 0 1 8.800-.9 3.800 3.800 0 0 1 3.600 7.600Z";
export const BOLT = "M.5 3.500-2.500 8H0L-1.500 12 3 6.800H.6L2.500 3.500Z";
/** Positions of the pips on each face of a die, relative to its middle. @type {[number, number][][]} */
export const PIPS = [
  [],
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

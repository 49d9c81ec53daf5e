// Colours that the eye finds evenly spaced: OKLab (B. Ottosson, 2020) to gamma-space sRGB.
fn from_oklch(lightness: f32, chroma: f32, hue: f32) -> vec3<f32> {
    let a = chroma * cos(hue);
    let b = chroma * sin(hue);
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    let cubes = vec3<f32>(l * l * l, m * m * m, s * s * s);
    let linear = vec3<f32>(
        dot(cubes, vec3<f32>(4.0767416621, -3.3077115913, 0.2309699292)),
        dot(cubes, vec3<f32>(-1.2684380046, 2.6097574011, -0.3413193965)),
        dot(cubes, vec3<f32>(-0.0041960863, -0.7034186147, 1.7076147010)),
    );
    let held = clamp(linear, vec3<f32>(0.0), vec3<f32>(1.0));
    return select(1.055 * pow(held, vec3<f32>(1.0 / 2.4)) - 0.055, held * 12.92, held < vec3<f32>(0.0031308));
}

// From nothing to all: dark violet over blue and green to yellow, lightness rising evenly.
fn ramp(value: f32) -> vec3<f32> {
    let t = clamp(value, 0.0, 1.0);
    return from_oklch(mix(0.27, 0.91, t), 0.11 + 0.07 * sin(t * 3.14159265), mix(5.25, 1.86, t));
}
